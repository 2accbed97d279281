/* classify_pass.c - one input through the mode that was asked for */
#include "base/die.h"
#include "model/kinds.h"
#include "traffic/classify/classify_stream.h"

static const struct table_kind *output_kind(const struct table_in *in,
					    const struct classify_options *options)
{
	switch (options->mode) {
	case CLASSIFY_TRAIN:
		return &kind_classifier;
	case CLASSIFY_CALIBRATE:
	case CLASSIFY_TEST:
		return &kind_metrics;
	case CLASSIFY_ROWS:
		break;
	}
	return table_kind(in);
}

static int train(struct table_in *in, struct table_out *table,
		 const struct classify_options *options, struct err *err)
{
	struct classifier model;

	if (classifier_train(&model, in, &options->teach, err) != 0)
		return -1;
	table_out_meta_of(table, in);
	classifier_write(&model, table);
	classifier_free(&model);
	return 0;
}

static int classify(const struct run_context *context, struct table_in *in, struct table_out *table,
		    const struct classify_options *options, struct err *err)
{
	struct classify_counts counts = {0};

	if (classify_stream(context, in, table, options, &counts, err) != 0)
		return -1;
	say("network-sensitive=%zu network-insensitive=%zu unprofiled=%zu learned=%zu",
	    counts.nsensitive, counts.ninsensitive, counts.nunprofiled, counts.nlearned);
	return 0;
}

int classify_pass(const struct run_context *context, struct table_in *in, struct out *out,
		  const struct classify_options *options, bool *separates, bool *whole,
		  struct err *err)
{
	struct table_out *table = table_out_new(out, output_kind(in, options));
	double tolerance = options->teach.tolerance;
	int status = 0;

	switch (options->mode) {
	case CLASSIFY_ROWS:
		status = classify(context, in, table, options, err);
		break;
	case CLASSIFY_CALIBRATE:
		status = classify_calibration(in, table, tolerance, separates, err);
		break;
	case CLASSIFY_TRAIN:
		status = train(in, table, options, err);
		break;
	case CLASSIFY_TEST:
		status = classify_test(in, table, options, tolerance, err);
		break;
	}
	*whole = status == 0 && table_is_whole(in);
	table_out_end(table, *whole);
	return status;
}
