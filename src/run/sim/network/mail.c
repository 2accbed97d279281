/* mail.c - what goes from one partition of a simulation to another */
#include "sim/network/mail.h"

#include <stdlib.h>

#include "sim/network/hop_inject.h"

/*
 * A message whose source and destination are in different partitions has a record in each. The
 * source's is gone when the message has left and none of its packets is left here; the
 * destination's begins with all packets to come. On their way through other partitions packets have
 * records of their own. Where a message's both ends are in one partition, the record stays there
 * while packets take a detour through others (is_home: serial is its number).
 */

void mail_bag_clear(struct mail_bag *bag)
{
	bag->messages.n = bag->packets.n = bag->credits.n = bag->notices.n = 0;
}

void mail_bag_free(struct mail_bag *bag)
{
	vec_free(&bag->messages);
	vec_free(&bag->packets);
	vec_free(&bag->credits);
	vec_free(&bag->notices);
}

bool net_is_here(const struct net *net, int32_t node)
{
	return hop_is_here(net, node);
}

/* ---- out ---- */

/* The bag to a partition, for something that happens there at time. */
static inline struct mail_bag *bag_to(struct net *net, int to, int64_t time)
{
	struct net_partition *partition = &net->partition;

	partition->mail_ps = time < partition->mail_ps ? time : partition->mail_ps;
	return &partition->bags[to];
}

/* The source's record, after a packet has gone to another partition. */
static void message_goes(struct net *net, int32_t i)
{
	struct message *message = &net->messages.at[i];

	if (--message->npending > 0 || message->left > 0)
		return;
	message->has_come = true; /* as far as it matters here */
	if (!message->wants_left || message->has_left)
		pool_give(&net->messages, i);
}

/* What another thread has read or written last; always inlined as in hop_ahead.h. */
static inline __attribute__((always_inline)) void fetch_packet(const struct mail_bag *bag, size_t i)
{
	const char *bytes = (const char *)bag->packets.at;

	for (size_t at = 0; at < sizeof(struct mail_packet); at += 48)
		fetch_ahead(bytes, i * sizeof(struct mail_packet) + at);
}

static void put_packet(struct net *net, const struct leaving *leaving)
{
	struct packet *packet = &net->packets.at[leaving->packet];
	struct mail_bag *bag = leaving->bag;
	int32_t number = packet->message;
	struct message *message = &net->messages.at[number];
	int part = net_part_at(net, message->src);
	struct mail_packet *mail;

	vec_reserve(&bag->packets, bag->packets.n + 1);
	mail = &bag->packets.at[bag->packets.n++];
	mail->packet = *packet;
	net->partition.nshort += packet->bytes < net->partition.short_bytes;
	mail->arrive_ps = leaving->arrive_ps;
	mail->ready_ps = message->ready_ps;
	mail->src = message->src;
	mail->dst = message->dst;
	mail->serial = message->serial;
	mail->part = (int16_t)part;
	mail->is_home = message->is_home;
	if (net->forward.type->leave != NULL)
		net->forward.type->leave(net, packet, mail->legs);
	if (message->is_transit) {
		pool_give(&net->messages, number);
	} else if (part == net->partition.number) {
		if (hop_is_here(net, message->dst)) {
			mail->is_home = true;
			mail->serial = (uint32_t)number;
		} else {
			message_goes(net, number);
		}
	}
	pool_give(&net->packets, leaving->packet);
}

void net_mail_packet(struct net *net, int32_t i, int32_t channel, int64_t arrive_ps)
{
	struct mail_desk *desk = &net->partition.desk;
	struct leaving *leaving = &desk->at[desk->n++ % LEAVING];
	/* the far end is where the other direction begins */
	int to = net->partition.of_channel[channel ^ 1];

	if (desk->n > LEAVING)
		put_packet(net, leaving);
	*leaving = (struct leaving){
		.arrive_ps = arrive_ps, .bag = bag_to(net, to, arrive_ps), .packet = i};
	__builtin_prefetch(&net->messages.at[net->packets.at[i].message], 1);
	fetch_packet(leaving->bag, leaving->bag->packets.n + LEAVING);
}

void mail_clear_desk(struct net *net)
{
	struct mail_desk *desk = &net->partition.desk;

	for (uint32_t i = desk->n > LEAVING ? desk->n - LEAVING : 0; i < desk->n; i++)
		put_packet(net, &desk->at[i % LEAVING]);
	desk->n = 0;
}

void net_mail_credit(struct net *net, int32_t channel, int vc, int32_t bytes, int64_t time)
{
	struct mail_bag *bag = bag_to(net, net->partition.of_channel[channel], time);
	const struct mail_credit mail = {
		.time = time, .channel = channel, .bytes = bytes, .vc = vc};

	net->partition.nshort -= bytes < net->partition.short_bytes;
	vec_push(&bag->credits, mail);
}

void net_mail_message(struct net *net, int32_t i)
{
	struct message *message = &net->messages.at[i];
	const struct net_events *events = &net->run.events[message->cookie >> NET_COOKIE_BITS];
	int to = net_part_at(net, message->dst);
	struct mail_bag *bag = bag_to(net, to, INT64_MAX);
	struct mail_message *mail;

	message->serial = ++net->partition.serials[to];
	vec_reserve(&bag->messages, bag->messages.n + 1);
	mail = &bag->messages.at[bag->messages.n++];
	mail->message = *message;
	if (events->leave != NULL)
		events->leave(events->context, net_cookie_value(message->cookie), mail->record);
}

void net_mail_notice(struct net *net, int32_t node, int64_t time, uint64_t cookie)
{
	struct mail_bag *bag = bag_to(net, net_part_at(net, node), time);
	const struct mail_notice mail = {.time = time, .cookie = cookie, .node = node};

	vec_push(&bag->notices, mail);
}

/* ---- in ---- */

static int32_t count_packets(const struct net *net, int64_t bytes)
{
	int64_t n = (bytes + net->plan.params->packet_bytes - 1) / net->plan.params->packet_bytes;

	return n < 1 ? 1 : (int32_t)n;
}

static void take_message(struct net *net, const struct mail_message *mail)
{
	int32_t i = net_message_new(net);
	struct message *message = &net->messages.at[i];
	int service = (int)(mail->message.cookie >> NET_COOKIE_BITS);
	const struct net_events *events = &net->run.events[service];

	*message = mail->message;
	message->npending = count_packets(net, message->left);
	message->left = 0;
	message->next = NOBODY;
	message->wants_left = message->releases = false;
	if (events->enter != NULL)
		message->cookie = net_cookie((enum net_service)service,
					     events->enter(events->context, mail->record));
	coming_add(&net->partition.coming, net_part_at(net, message->src), message->serial, i);
}

void net_mail_is_whole(struct net *net, const struct message *message)
{
	coming_remove(&net->partition.coming, net_part_at(net, message->src), message->serial);
}

/* The record here of a packet's message. */
static int32_t find_message(struct net *net, const struct mail_packet *mail)
{
	int32_t number;

	if (hop_is_here(net, mail->dst))
		return mail->is_home ? (int32_t)mail->serial
				     : *coming_at(&net->partition.coming, mail->part, mail->serial);
	number = net_message_new(net);
	net->messages.at[number] = (struct message){.src = mail->src,
						    .dst = mail->dst,
						    .ready_ps = mail->ready_ps,
						    .serial = mail->serial,
						    .nic = mail->packet.nic,
						    .is_home = mail->is_home,
						    .is_transit = true};
	return number;
}

/* What takes a packet or a credit is fetched into the cache while others are taken. */
enum { MAIL_AHEAD = 12, TAKEN_AHEAD = 8, RING_AHEAD = 4 };

static void take_packet(struct net *net, const struct mail_packet *mail)
{
	int32_t i = pool_take(&net->packets);

	net->packets.at[i] = mail->packet;
	net->packets.at[i].message = find_message(net, mail);
	if (net->forward.type->enter != NULL)
		net->forward.type->enter(net, &net->packets.at[i], mail->legs);
	hop_fly_here(net, port_of(net, mail->packet.channel), i, mail->packet.channel,
		     mail->arrive_ps);
	pool_fetch(&net->packets, TAKEN_AHEAD);
	pool_fetch(&net->messages, TAKEN_AHEAD);
}

static inline __attribute__((always_inline)) void fetch_port(const struct net *net, int32_t channel)
{
	__builtin_prefetch(port_of(net, channel), 1);
}

/* What taking the packet needs. */
static inline __attribute__((always_inline)) void fetch_for(const struct net *net,
							    const struct mail_packet *mail)
{
	fetch_port(net, mail->packet.channel);
	if (!mail->is_home && hop_is_here(net, mail->dst))
		__builtin_prefetch(coming_at(&net->partition.coming, mail->part, mail->serial));
}

static void take_packets(struct net *net, const struct mail_bag *bag)
{
	for (size_t i = 0; i < bag->packets.n; i++) {
		if (i + MAIL_AHEAD < bag->packets.n)
			fetch_packet(bag, i + MAIL_AHEAD);
		if (i + TAKEN_AHEAD < bag->packets.n)
			fetch_for(net, &bag->packets.at[i + TAKEN_AHEAD]);
		take_packet(net, &bag->packets.at[i]);
	}
}

static void take_credits(struct net *net, const struct mail_bag *bag)
{
	for (size_t i = 0; i < bag->credits.n; i++) {
		const struct mail_credit *credit = &bag->credits.at[i];

		if (i + TAKEN_AHEAD < bag->credits.n)
			fetch_port(net, credit[TAKEN_AHEAD].channel);
		if (i + RING_AHEAD < bag->credits.n)
			__builtin_prefetch(
				&net->credits.at[port_of(net, credit[RING_AHEAD].channel)->ring],
				1);
		hop_give_here(net, port_of(net, credit->channel), credit->channel, credit->vc,
			      credit->bytes, credit->time);
	}
}

void mail_take(struct net *net, struct mail_bag *bag)
{
	for (size_t i = 0; i < bag->messages.n; i++)
		take_message(net, &bag->messages.at[i]);
	take_packets(net, bag);
	take_credits(net, bag);
	for (size_t i = 0; i < bag->notices.n; i++) {
		const struct mail_notice *notice = &bag->notices.at[i];

		net_agenda_add(net, notice->node,
			       &(struct item){.time = notice->time,
					      .kind = NOTICE,
					      .cookie = notice->cookie});
	}
	mail_bag_clear(bag);
}
