/* protocols.c - the registry of protocols, and which of them a message follows */
#include "sim/mpi/protocol.h"

#define REGISTRY "sim/protocol/protocols.def"
#define REGISTRY_TYPE struct protocol
#define REGISTRY_PREFIX protocol_
#include "base/registry_entries.h"

const struct registry protocols = REGISTRY_OF("protocols", "message protocol");

const struct protocol *protocol_of(const struct mpi *mpi, const struct rank *rank, int32_t peer,
				   int64_t bytes, bool is_synchronous, enum gpu_mode way)
{
	const struct sim_params *params = mpi->params;
	int32_t self = number_of(mpi, rank);

	if (is_short_cut(mpi, self, peer))
		return params->is_local_synchronous || is_synchronous ? &protocol_local
								      : &protocol_eager;
	if (way == GPU_GPUDIRECT && peer != self)
		return &protocol_gpudirect;
	if (bytes <= params->eager_bytes && !is_synchronous)
		return &protocol_eager;
	return params->has_early_answers && peer != self ? &protocol_receiver_driven
							 : &protocol_ask_answer;
}
