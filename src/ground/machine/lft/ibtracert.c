/* ibtracert.c - routes as ibtracert prints them, one after the other */
#include <stdlib.h>
#include <string.h>

#include "machine/lft/lft.h"
#include "base/str.h"
#include "formats/ib/ibnet.h"
#include "formats/scan.h"

/* A step: the switch where it begins, and the port by which it leaves. */
struct step {
	uint64_t guid; /* of the switch; 0: the adapter where the route begins */
	int lid, port;
	long line;
};

struct route {
	VEC(struct step) steps;
	uint64_t guid; /* where the route is now: 0 an adapter */
	int lid;
	bool is_open;
};

/* {0x0000000000200000}…[8] lid 2-2 "leaf0": the GUID and the first LID. */
static bool read_place(const char *at, uint64_t *guid, int *lid)
{
	const char *text = strstr(at, " lid ");

	at = strchr(at, '{');
	if (at == NULL || text == NULL)
		return false;
	at++;
	text += strlen(" lid ");
	return scan_hex(&at, guid) && scan_char(&at, '}') &&
	       scan_int(&text, 0, IBNET_LID_MOST, lid);
}

/* [8] -> switch port {guid}[2] lid 9-9 "spine1" */
static int read_step(struct route *route, struct in *in, const char *at, struct err *err)
{
	struct step step = {.guid = route->guid, .lid = route->lid, .line = in_lineno(in)};
	bool is_switch;

	if (!route->is_open)
		return in_error(in, err, "a step before 'From'");
	if (!scan_char(&at, '[') || !scan_int(&at, 0, IBNET_PORT_MOST, &step.port) ||
	    !scan_text(&at, "] -> "))
		return in_error(in, err, "expected a step: [port] -> switch port {GUID}[port]");
	is_switch = str_starts(at, "switch ");
	if (!read_place(at, &route->guid, &route->lid))
		return in_error(in, err, "expected {GUID}[port] lid N");
	if (!is_switch)
		route->guid = 0;
	vec_push(&route->steps, step);
	return 0;
}

/* To ca {guid} portnum 1 lid 22-22 "node15": all steps were for that LID. */
static int close_route(struct lft *lft, struct route *route, struct in *in, const char *file,
		       const char *line, struct err *err)
{
	uint64_t guid;
	int lid;

	if (!route->is_open || !read_place(line, &guid, &lid))
		return in_error(in, err, "expected 'To ca {GUID} … lid N' behind 'From'");
	for (size_t i = 0; i < route->steps.n; i++) {
		const struct step *step = &route->steps.at[i];

		if (step->guid != 0)
			lft_add_entry(lft,
				      lft_add_switch(lft, step->guid, step->lid, file, step->line),
				      lid, step->port, step->line);
	}
	route->steps.n = 0;
	route->is_open = false;
	return 0;
}

static int read_line(struct lft *lft, struct route *route, struct in *in, const char *file,
		     const char *line, struct err *err)
{
	if (line[0] == '[')
		return read_step(route, in, line, err);
	if (str_starts(line, "To "))
		return close_route(lft, route, in, file, line, err);
	if (!str_starts(line, "From "))
		return 0; /* what libraries say in between */
	if (route->is_open)
		return in_error(in, err, "a route begins before the last one ended");
	if (!read_place(line, &route->guid, &route->lid))
		return in_error(in, err, "expected 'From ca {GUID} … lid N'");
	if (!str_starts(line, "From switch "))
		route->guid = 0;
	route->is_open = true;
	route->steps.n = 0;
	return 0;
}

static int read(struct lft *lft, struct in *in, const char *file, struct err *err)
{
	struct route route = {.is_open = false};
	int status, nroutes = 0;
	char *line;

	while ((status = in_line(in, &line, NULL, err)) > 0) {
		line = str_trim(line);
		nroutes += str_starts(line, "From ");
		status = read_line(lft, &route, in, file, line, err);
		if (status != 0)
			break;
	}
	if (status == 0 && nroutes == 0)
		status = err_set(err, "%s: no route: this is not output of ibtracert", file);
	if (status == 0 && route.is_open)
		status = in_error(in, err, "the last route does not end");
	vec_free(&route.steps);
	return status;
}

const struct lft_reader lft_reader_ibtracert = {
	.entry =
		{
			.name = "ibtracert",
			.summary = "the routes that ibtracert prints, one after the "
				   "other; switches that they do not pass have no route",
			.example = "ibtracert",
		},
	.read = read,
};
