/* ibnet.c - fabrics as ibnetdiscover tells them: what is read, what is refused */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/str.h"
#include "formats/ib/ibnet.h"

#define HCA1 "Ca\t2 \"H-0000000000000001\"\t\t# \"n1 HCA-1\"\n"
#define SW1 "Switch\t4 \"S-00000000000000aa\"\t\t# \"a\" base port 0 lid 7 lmc 0\n"

static const struct {
	const char *what, *text, *wanted;
} cases[] = {
	{"whole form",
	 "DR path slid 0; dlid 0; 0 -> new Switch {00aa} portnum 0 lid 0-0 \"\"\n"
	 "vendid=0x2c9\ndevid=0xcb20\nsysimgguid=0xaa\t\t# Chassis 3 (c)\nswitchguid=0xaa(aa)\n" SW1
	 "[1]\t\"H-0000000000000001\"[1](2) \t\t# \"n1 HCA-1\" lid 8 4xQDR\n\n"
	 "caguid=0x1\n" HCA1
	 "[1](2) \t\"S-00000000000000aa\"[1]\t\t# lid 8 lmc 1 \"a\" lid 7 4xQDR s=4 w=2\n",
	 "S-00000000000000aa 'a' chassis 3, H-0000000000000001 'n1 HCA-1'; "
	 "0:1-1:1 4xQDR 4e+09; lid 7 is 0; lid 8 is 1; lid 9 is 1; one-sided 0"},
	{"external ports, quotes and # in a description, a router",
	 SW1
	 "[2][ext 17]\t\"R-00000000000000bb\"[1][ext 2](bc) \t\t# \"r \"x\" # y\" lid 0 1xFDR\n\n"
	 "rtguid=0xbb\nRt\t1 \"R-00000000000000bb\"\t\t# \"r \"x\" # y\"\n"
	 "[1](bc) \t\"S-00000000000000aa\"[2]\t\t# lid 0 lmc 0 \"a\" lid 7 1xFDR\n",
	 "S-00000000000000aa 'a', R-00000000000000bb 'r \"x\" # y'; 0:2-1:1 1xFDR "
	 "1.70454545e+09; lid 7 is 0; one-sided 0"},
	{"ibsim's words, kinds told later, one side only",
	 "Hca 1 \"h\"\n[1] \"s\"[3]\nSwitch 8 \"s\"\n[4] \"s2\"[1]\nSwitch 8 \"s2\"\n[1] "
	 "\"s\"[4]\n",
	 "h '', s '', s2 ''; 0:1-1:3  0; 1:4-2:1  0; one-sided 1"},
	{"report, two ports of one adapter, a port that is down",
	 "CA     9  2 0x0000000000000012 4x EDR - SW     3  2 0x00000000000000aa ( 'n 'x' HCA-1' - "
	 "'a' )\n"
	 "SW     3  3 0x00000000000000aa 4x SDR                                    'a'\n"
	 "CA     0  2 0x0000000000000013 4x SDR                                    'n 'x' HCA-1'\n"
	 "CA     8  1 0x0000000000000011 4x ??? - SW     3  1 0x00000000000000aa ( 'n 'x' HCA-1' - "
	 "'a' )\n"
	 "SW     3  1 0x00000000000000aa 4x ??? - CA     8  1 0x0000000000000011 ( 'a' - 'n 'x' "
	 "HCA-1' )\n"
	 "SW     3  2 0x00000000000000aa 2x EDR - CA     9  2 0x0000000000000012 ( 'a' - 'n 'x' "
	 "HCA-1' )\n",
	 "H-0000000000000011 'n 'x' HCA-1', S-00000000000000aa 'a'; 0:1-1:1  0; 0:2-1:2 2xEDR "
	 "6.25e+09; lid 3 is 1; lid 8 is 0; lid 9 is 0; one-sided 0"},
	{"a device without lines of its own",
	 SW1 "[1]\t\"H-0000000000000001\"[1](2) # \"n1\" lid 8\n",
	 "S-00000000000000aa 'a', H-0000000000000001 'n1'; 0:1-1:1  0; lid 7 is 0; lid 8 is 1; "
	 "one-sided 1"},
	{"the same, of unknown kind", "Switch 2 \"s\"\n\n[1] \"x\"[1]\n",
	 ":3: \"x\" is named here and described nowhere"},
	{"ends that contradict",
	 SW1 "[1] \"H-0000000000000001\"[1]\n" HCA1 "[1] \"S-00000000000000aa\"[2]\n",
	 ":2: port 1 of S-00000000000000aa leads to port 1 of H-0000000000000001, which leads "
	 "elsewhere at :4"},
	{"a port used twice", SW1 "[1] \"H-0000000000000001\"[1]\n[1] \"H-0000000000000002\"[1]\n",
	 ":3: port 1 of S-00000000000000aa has another cable at :2"},
	{"two cables to a port that tells nothing",
	 SW1 "[1] \"H-0000000000000001\"[1]\n[2] \"H-0000000000000001\"[1]\n",
	 ":3: port 1 of H-0000000000000001 has another cable at :2"},
	{"described twice", SW1 "[1] \"H-0000000000000001\"[1]\n" SW1,
	 ":3: \"S-00000000000000aa\" was described at :1 before"},
	{"two LIDs",
	 SW1 "[1] \"H-0000000000000001\"[1] # \"n\" lid 8\n" HCA1
	     "[1] \"S-00000000000000aa\"[1] # lid 9 lmc 0 \"a\" lid 7\n",
	 ":4: LID 9, where the other side has LID 8"},
	{"one LID twice",
	 SW1 "[1] \"H-0000000000000001\"[1] # \"n\" lid 7\n" HCA1
	     "[1] \"S-00000000000000aa\"[1] # lid 7 lmc 0 \"a\" lid 7\n",
	 ":3: H-0000000000000001 has LID 7, which S-00000000000000aa at :1 has too"},
	{"a port too high", SW1 "[5] \"H-0000000000000001\"[1]\n",
	 ":2: port 5 of a device of 4 ports"},
	{"a port before its device", "[5] \"H-0000000000000001\"[1]\n",
	 ":1: a port before the first Switch, Ca or Rt"},
	{"a line that ends early", "SW     3  3 0xaa 4x SDR  \n",
	 ":1: the line ends early: expected '- ' and the other end, or a description in quotes"},
	{"a report without the other end", "SW     3  3 0xaa 4x SDR - CA 3\n",
	 ":1: expected the other end of the cable: CA|SW|RT LID PORT GUID"},
	{"a LID too large", "CA 49152  1 0x12 4x EDR - SW     3  2 0xaa ( 'n' - 'a' )\n",
	 ":1: expected a port: CA|SW|RT LID PORT GUID (LID up to 49151, port up to 254)"},
	{"a GUID too long", "CA 1  1 0x12345678123456789 4x EDR - SW     3  2 0xaa ( 'n' - 'a' )\n",
	 ":1: expected a port: CA|SW|RT LID PORT GUID (LID up to 49151, port up to 254)"},
	{"a list", "Ca\t : 0x000000000010001e ports 1 devid 0x0 vendid 0x0 \"node15\"\n",
	 ":1: this is a list (ibnetdiscover -l, -S or -H), which has no cables; expected the "
	 "output without these or with -p"},
	{"nothing", "\n# Topology file\n", ": no cable: this is not output of ibnetdiscover"},
};

static void show(const struct ibnet *net, struct buf *out)
{
	for (size_t i = 0; i < net->devices.n; i++) {
		const struct ibnet_device *d = &net->devices.at[i];

		buf_printf(out, "%s%s '%s'", i > 0 ? ", " : "", d->id, d->description);
		if (d->chassis != NULL)
			buf_printf(out, " chassis %s", d->chassis);
	}
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *c = &net->cables.at[i];

		buf_printf(out, "; %d:%d-%d:%d %s %.9g", c->a, c->port_a, c->b, c->port_b, c->rate,
			   c->bandwidth);
	}
	for (int lid = 1; lid < 20; lid++)
		if (ibnet_find_lid(net, 0, lid) >= 0)
			buf_printf(out, "; lid %d is %d", lid, ibnet_find_lid(net, 0, lid));
	buf_printf(out, "; one-sided %d", net->none_sided);
}

/* The message without the file's name, which comes before each of its lines. */
static void show_message(const char *msg, const char *path, struct buf *out)
{
	for (const char *at; (at = strstr(msg, path)) != NULL; msg = at + strlen(path))
		buf_add(out, msg, (size_t)(at - msg));
	buf_str(out, msg);
}

static int try(const char *what, const char *text, const char *wanted)
{
	char path[64];
	char *paths[2] = {path, NULL};
	struct buf out = {0};
	struct ibnet *net;
	struct err err;
	FILE *file;
	int failed;

	snprintf(path, sizeof(path), "/tmp/ibnet-test-%d", (int)getpid());
	file = fopen(path, "w");
	if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
		abort();
	if (ibnet_read(&net, paths, &err) == 0)
		show(net, &out);
	else
		show_message(err.msg, path, &out);
	failed = !str_eq(buf_text(&out), wanted);
	if (failed)
		printf("failed: %s:\n got    %s\n wanted %s\n", what, buf_text(&out), wanted);
	ibnet_free(net);
	buf_free(&out);
	unlink(path);
	return failed;
}

int main(void)
{
	int nfailed = 0;

	die_set_quiet(true);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		nfailed += try(cases[i].what, cases[i].text, cases[i].wanted);
	return nfailed > 0;
}
