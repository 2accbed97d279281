/* otf2_calls.c - MPI functions by region, and collective operations */
#include "convert/reader/otf2_reader.h"
#include "base/str.h"

const struct otf2_function *otf2_function(struct otf2_input *input, uint32_t region)
{
	while (input->functions.n <= region)
		vec_push(&input->functions, (struct otf2_function){.name = NULL});
	if (input->functions.at[region].name == NULL) {
		const struct otf_region *from = otf_region(input->otf, region);
		const char *regions = pick_word(input->pick, "regions");
		struct otf2_function *function = &input->functions.at[region];

		function->name = from->name;
		function->is_mpi = from->kind == OTF_REGION_MPI;
		/* whole names: MPI_Initialized begins like MPI_Init */
		function->is_init =
			str_eq(from->name, "MPI_Init") || str_eq(from->name, "MPI_Init_thread");
		function->is_finalize = str_eq(from->name, "MPI_Finalize");
		function->is_sendrecv = str_eq(from->name, "MPI_Sendrecv") ||
					str_eq(from->name, "MPI_Sendrecv_replace");
		function->is_shown = !function->is_mpi && *from->name != '\0' &&
				     (str_eq(regions, "all") ||
				      (str_eq(regions, "user") && from->kind == OTF_REGION_USER));
		function->group = mpi_group(from->name);
	}
	return &input->functions.at[region];
}

int otf2_set_collective(struct otf2_input *input, const struct otf_event *event, int32_t rank,
			struct mpi_call *call, struct err *err)
{
	int op = otf2_collective(event->collective), n;
	struct collective_sizes sizes;

	if (op < 0)
		return err_set(err, "%s: collective operation number %u is not known", input->path,
			       event->collective);
	if (input->comm_of[event->comm] == -2)
		return 1;
	call->op = TRACE_COLLECTIVE;
	call->collective = op;
	call->comm = input->comm_of[event->comm];
	call->root = collective_is_rooted(op) ? event->root : -1;
	if (input->place_rank[event->comm] != rank) {
		input->place_rank[event->comm] = rank;
		input->place_of[event->comm] = trace_comm_place(&input->comms, call->comm, rank);
	}
	n = trace_comm_size(&input->comms, call->comm);
	/* of an inter-communicator the sizes stay as they are counted */
	if (input->place_of[event->comm] < 0 || n < 1)
		n = 1;
	sizes = otf2_buffers(op, n, n > 1 ? input->place_of[event->comm] : 0, call->root == rank,
			     input->is_exact, event->bytes, event->recv_bytes);
	call->bytes = sizes.send;
	call->recv_bytes = sizes.recv;
	return 0;
}
