/* night_eval.c - what evalmetrics measures of a stream, read back */
#include "report/night_eval.h"

#include <stdlib.h>
#include <unistd.h>

#include "model/kinds.h"

char *night_temporary(struct err *err)
{
	const char *folder = getenv("TMPDIR");
	char *path = xasprintf("%s/placereport.XXXXXX", folder != NULL ? folder : "/tmp");
	int file = mkstemp(path);

	if (file >= 0) {
		close(file);
		return path;
	}
	err_set(err, "%s: cannot be made", path);
	free(path);
	return NULL;
}

static int measure(const struct run_context *run, struct table_in *in,
		   const struct eval_options *eval, const char *path, struct err *err)
{
	struct out *out;
	bool whole;

	if (out_open(&out, path, NULL, err) != 0)
		return -1;
	if (eval_stream(run, in, eval, out, &whole, err) != 0) {
		out_close(out, false, &(struct err){0});
		return -1;
	}
	return out_close(out, true, err);
}

int night_eval(const struct run_context *run, struct table_in *in, const struct eval_options *eval,
	       int (*read)(void *context, struct table_in *metrics, struct err *err), void *context,
	       struct err *err)
{
	static const struct table_kind *const measured[] = {&kind_metrics, NULL};
	char *path = night_temporary(err), *paths[] = {path, NULL};
	struct table_in *measures;
	int status;

	if (path == NULL)
		return -1;
	status = measure(run, in, eval, path, err);
	if (status == 0 && (status = table_open(&measures, measured, paths, true, err)) == 0) {
		status = read(context, measures, err);
		table_close(measures);
	}
	unlink(path);
	free(path);
	return status;
}
