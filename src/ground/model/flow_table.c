/* flow_table.c - the rows of a table become those of a flow */
#include "model/flow.h"

int flow_rows(struct flow *flow, struct table_in *in, struct err *err)
{
	struct row row;
	size_t ndone = 0;
	int status;

	for (int i = 0; i < table_ncolumns(in); i++)
		flow_column(flow, table_column(in, i));
	flow_meta_lines(flow, in, &ndone);
	while ((status = table_next(in, &row, err)) == 1) {
		flow_meta_lines(flow, in, &ndone);
		for (int i = 0; i < table_ncolumns(in); i++)
			flow_text(flow, i, row_text(&row, i));
		flow->file = row.file;
		flow->line = row.line;
		status = flow_emit(flow, err);
		if (status != 0)
			break;
	}
	flow_meta_lines(flow, in, &ndone);
	flow->file = NULL;
	return status;
}
