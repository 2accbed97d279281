/* sim_mpi_gpu.c - data of GPUs: copies to the host, and words between a rank and its GPU */
#include "model/mpitrace.h"
#include "sim/mpi/protocol.h"

/* Where neither side is on a GPU, data that are on the host are as Khetawat 2022, §3.3.3 has them:
 * copied from a GPU. */
enum gpu_mode gpu_way_of(struct mpi *mpi, const struct op *op)
{
	bool is_on_gpu = op->send_location == LOCATION_GPU || op->recv_location == LOCATION_GPU;

	if (op->kind == OP_COLLECTIVE && (GPU_COLLECTIVES >> op->call.op & 1) == 0)
		return GPU_NONE;
	if (mpi->params->gpu != GPU_TRACE)
		return mpi->params->gpu;
	mpi->has_unlocated |=
		op->send_location == LOCATION_UNKNOWN && op->recv_location == LOCATION_UNKNOWN;
	if (is_on_gpu)
		return GPU_GPUDIRECT;
	return mpi->params->has_host_buffers ? GPU_NONE : GPU_HOSTCOPY;
}

int64_t gpu_word_ps(const struct mpi *mpi)
{
	/* by the NIC, as CODES has it, which copies it inside the node */
	return mpi->params->nic_send_ps +
	       (int64_t)((double)mpi->params->control_bytes * 1e12 /
				 mpi->params->levels[LINK_NODE].bandwidth +
			 .5);
}

int64_t gpu_copy_ps(const struct mpi *mpi, int64_t bytes)
{
	return mpi->params->gpu_copy_delay_ps +
	       (int64_t)((double)bytes * mpi->params->gpu_copy_ps_per_byte + .5);
}

int64_t gpu_copied_ps(struct mpi *mpi, struct rank *rank, int64_t bytes, int64_t from_ps)
{
	int64_t delay_ps = mpi->params->gpu_copy_delay_ps, free_ps = 0;
	int64_t work_ps = gpu_copy_ps(mpi, bytes) - delay_ps;

	rest_of(mpi, rank)->copy_ps += delay_ps + work_ps;
	from_ps += delay_ps;
	if (!mpi->params->has_serial_copies)
		return from_ps + work_ps;
	umap_get(&mpi->copiers, (uint64_t)rank->node, &free_ps);
	free_ps = (free_ps > from_ps ? free_ps : from_ps) + work_ps;
	umap_set(&mpi->copiers, (uint64_t)rank->node, free_ps);
	return free_ps;
}

int64_t message_leaves_ps(struct mpi *mpi, const struct message *message, int64_t from_ps)
{
	const struct sim_params *params = mpi->params;
	bool is_eager = message->kind == MESSAGE_EAGER;

	if (!is_eager && message->kind != MESSAGE_DATA && message->kind != MESSAGE_CLEARED)
		return from_ps + params->send_delay_ps;
	if (message->way == GPU_HOSTCOPY)
		from_ps = gpu_copied_ps(mpi, rank_at(mpi, message->src), message->bytes, from_ps);
	/* GPU_SEND: the rank notifies its GPU, which sends */
	if (message->way == GPU_GPUDIRECT)
		from_ps += params->gpudirect_delay_ps + gpu_word_ps(mpi);
	if (!is_eager || message->way == GPU_GPUDIRECT)
		from_ps += params->rdma_delay_ps;
	return from_ps + params->send_delay_ps;
}
