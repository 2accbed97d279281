/* regions.c - placed jobs as regions of a machine, for metrics of where they are */
#include "measure/metric/regions.h"

#include <stdlib.h>

int regions_open(struct regions *regions, const struct metric_context *context, struct err *err)
{
	regions->io_column = table_find(context->in, "io_nodelist");
	return geometry_open(&regions->geometry, context->topo, context->routing, NULL, err);
}

void regions_close(struct regions *regions)
{
	if (regions->geometry.topo != NULL)
		geometry_close(&regions->geometry);
	free(regions->io.at);
}

int regions_of(struct regions *regions, const struct metric_item *item, struct region *region,
	       struct err *err)
{
	const char *io = row_text(item->row, regions->io_column);
	struct err why;

	regions->io.n = 0;
	if (io != NULL && geometry_io_read(&regions->geometry, io, &regions->io, &why) != 0)
		return row_error(item->row, err, "io_nodelist: %s", why.msg);
	*region = (struct region){.nodes = metric_item_nodes(item),
				  .n = item->nnodes,
				  .io = regions->io.at,
				  .nio = (int)regions->io.n};
	return 0;
}
