/* token.c - at most N ranks of a job do I/O at one time, first come first served */
#include "sim/storage/storage_priv.h"

/*
 * The node of the job's rank 0 has the tokens. That a rank asks for one, gets it and gives it back
 * are notices.
 */
static void notify(struct storage *storage, int32_t from, int32_t to, enum io_event event,
		   int32_t client)
{
	if (from == to)
		io_timer(storage, to, net_now(storage->net), event, client, 0);
	else
		net_notice(storage->net, to, io_cookie(event, client, 0));
}

static struct token_desk *desk_of(struct storage *storage, int32_t client)
{
	return &storage->desks.at[storage->clients.at[client].job];
}

void token_ask(struct storage *storage, int32_t client)
{
	notify(storage, storage->clients.at[client].node, desk_of(storage, client)->node, IO_ASK,
	       client);
}

void token_asked(struct storage *storage, int32_t client)
{
	struct token_desk *desk = desk_of(storage, client);

	if (desk->nfree > 0) {
		desk->nfree--;
		notify(storage, desk->node, storage->clients.at[client].node, IO_ISSUE, client);
		return;
	}
	if (desk->next == desk->waiting.n)
		desk->next = desk->waiting.n = 0;
	vec_push(&desk->waiting, client);
}

void token_give_back(struct storage *storage, int32_t client)
{
	storage->clients.at[client].has_token = false;
	notify(storage, storage->clients.at[client].node, desk_of(storage, client)->node, IO_RETURN,
	       client);
}

void token_returned(struct storage *storage, int32_t client)
{
	struct token_desk *desk = desk_of(storage, client);

	if (desk->next == desk->waiting.n) {
		desk->nfree++;
		return;
	}
	client = desk->waiting.at[desk->next++];
	notify(storage, desk->node, storage->clients.at[client].node, IO_ISSUE, client);
}

static int64_t writers(const struct pick *pick)
{
	return pick_int(pick, "writers");
}

const struct io_schedule io_schedule_token = {
	.entry = {.name = "token",
		  .example = "token:writers=400",
		  .summary = "at most N ranks of a job do I/O at one time, first come first served",
		  .params = (const struct param[]){{.key = "writers",
						    .type = PARAM_INT,
						    .min = 1,
						    .max = 1 << 24,
						    .unit = "ranks",
						    .meaning = "that do I/O at one time"},
						   {0}}},
	.writers = writers,
};
