/* shapes.c - exchanges that several patterns are made of */
#include "mpi/pattern/pattern.h"

void halo_opposites(const struct halo_face *faces, int nfaces, int *opposite)
{
	for (int i = 0; i < nfaces; i++)
		for (int j = 0; j < nfaces; j++) {
			bool is_opposite = true;

			for (int d = 0; d < GRID_DIMS; d++)
				is_opposite &= faces[i].offset[d] == -faces[j].offset[d];
			if (is_opposite)
				opposite[i] = j;
		}
}

void exchange_next(const struct grid *grid, const struct halo_face *faces, const int *opposite,
		   int nfaces, int rank, struct cursor *cursor, struct op *op)
{
	while (cursor->step < 2 * nfaces) {
		bool is_send = cursor->step >= nfaces;
		int face = cursor->step++ % nfaces;
		int peer = grid_neighbour(grid, rank, faces[face].offset);

		if (peer < 0)
			continue;
		op->kind = is_send ? OP_ISEND : OP_IRECV;
		op->peer = peer;
		op->bytes = faces[face].bytes;
		/* on a ring of two both neighbours are one rank */
		op->tag = is_send ? opposite[face] : face;
		cursor->sub = 1;
		return;
	}
	if (cursor->step == 2 * nfaces && cursor->sub == 1) {
		cursor->step++;
		op->kind = OP_WAITALL;
	}
}

bool group_alltoall_next(const struct group_alltoall *group, struct cursor *cursor, struct op *op)
{
	int n = group->n, i = cursor->sub / 3 + 1;

	if (i >= n) {
		cursor->sub = 0;
		return false;
	}
	op->is_inner_first = group->is_first && cursor->sub == 0;
	op->is_inner_last = group->is_last && cursor->sub == 3 * (n - 1) - 1;
	op->is_inner = true;
	op->tag = group->tag;
	op->request = 0;
	switch (cursor->sub++ % 3) {
	case 0:
		op->kind = OP_IRECV;
		op->peer = group->place >= i ? group->place - i : group->place - i + n;
		break;
	case 1:
		op->kind = OP_SEND;
		op->peer = group->place < n - i ? group->place + i : group->place + i - n;
		break;
	default:
		op->kind = OP_WAIT;
		break;
	}
	return true;
}
