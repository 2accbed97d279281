/* slurmconf.c - networks as Slurm tells them: what is read, what is refused */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/str.h"
#include "formats/slurm/slurmconf.h"

static const struct {
	const char *what, *text, *wanted;
	bool is_yaml;
	const char *name;
} cases[] = {
	{"a tree, in any order, keys in any case, comments, a line in two parts",
	 "# t\nswitchname=top Switches=s[0-1] # c\nSwitchName=s0 LinkSpeed=4 Nodes=n[1-2]\n"
	 "SWITCHNAME=s1 \\\n  Nodes=\"n3,n4\"\n",
	 "top/1(s0 s1) s0/0[n1 n2]*4 s1/0[n3 n4]"},
	{"two roots above one leaf",
	 "SwitchName=a Nodes=n1\nSwitchName=r Switches=a\nSwitchName=q Switches=a\n",
	 "a/0[n1] r/1(a) q/1(a)"},
	{"nodes and switches", "SwitchName=a Nodes=n1\nSwitchName=r Switches=a Nodes=n2\n",
	 ":2: switch r has nodes and switches: Slurm takes one or the other"},
	{"scontrol, more above than below",
	 "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
	 "SwitchName=r Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=s0\n",
	 ":2: Nodes= names n3, which is beneath none of its switches: was the output cut?"},
	{"scontrol: nodes are listed again above",
	 "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\nSwitchName=s1 Level=0 LinkSpeed=1 "
	 "Nodes=n3\nSwitchName=r Level=1 LinkSpeed=1 Nodes=n[1-3] Switches=s[0-1]\n",
	 "s0/0[n1 n2]*1 s1/0[n3]*1 r/1(s0 s1)*1"},
	{"scontrol, cut",
	 "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
	 "SwitchName=r Level=1 LinkSpeed=1 Nodes=n1 Switches=s0\n",
	 ":2: Nodes= lacks n2, which is beneath r: was the output cut (SLURM_TOPO_LEN)?"},
	{"scontrol, cut in a list", "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-\n",
	 ":1: a '[' without its ']'"},
	{"blocks",
	 "BlockName=a Nodes=n[1-2]\nBlockName=b Nodes=n[3-4]\nBlockName=c Nodes=n[5-6]\n"
	 "BlockSizes=2,4\n",
	 "a/0[n1 n2] b/0[n3 n4] c/0[n5 n6] blocks-4-0/1(a b) blocks-4-1/1(c) blocks/2(blocks-4-0 "
	 "blocks-4-1)"},
	{"blocks of scontrol",
	 "BlockName=a BlockIndex=0 Nodes=n[1-2] BlockSize=2\n"
	 "BlockName=b BlockIndex=1 Nodes=n[3-4] BlockSize=2\n"
	 "AggregatedBlock=a,b BlockIndex=2 Nodes=n[1-4] BlockSize=4\n",
	 "a/0[n1 n2] b/0[n3 n4] blocks-4-0/1(a b)"},
	{"block sizes that do not nest", "BlockName=a Nodes=n[1-2]\nBlockSizes=2,5\n",
	 ":2: block size 5 is not 2 times a power of two (at most 2^15), which Slurm needs"},
	{"a child that is none", "SwitchName=r Switches=a\n", ":1: no switch is named 'a'"},
	{"a circle", "SwitchName=a Switches=b\nSwitchName=b Switches=a\n",
	 ":1: switch a is beneath itself"},
	{"itself", "SwitchName=a Switches=a\n", ":1: switch a is beneath itself"},
	{"twice", "SwitchName=a Nodes=n\nSwitchName=a Nodes=m\n",
	 ":2: switch a was defined in line 1 before"},
	{"a node twice", "SwitchName=a Nodes=n[1-3],n2\n", ":1: node n2 is named twice"},
	{"a node that is a switch", "SwitchName=a Nodes=b\nSwitchName=b Nodes=n\n",
	 ":1: 'b' is a node here and a switch elsewhere"},
	{"nothing beneath", "SwitchName=a\n", ":1: switch a has neither nodes nor switches"},
	{"all", "SwitchName=a Nodes=ALL\n",
	 ":1: Nodes=ALL: their names are in slurm.conf; expected a list"},
	{"another key", "SwitchName=a Node=n\n",
	 ":1: 'Node' is not a key here: expected SwitchName, Switches, Nodes, LinkSpeed, BlockName, "
	 "BlockSizes or RingName"},
	{"no value", "SwitchName=a Nodes\n", ":1: 'Nodes': expected Key=value"},
	{"include", "Include other.conf\n",
	 ":1: Include is not followed: name the files one by one"},
	{"the end in a line", "SwitchName=a \\\n", ":1: the line goes on behind the end"},
	{"empty", "\n", ": no SwitchName=, BlockName= or RingName="},
	{"yaml: the default of two trees",
	 "- topology: t1\n  tree:\n    switches:\n      - {switch: x, nodes: m}\n"
	 "- topology: t2\n  cluster_default: true\n  tree:\n    switches:\n"
	 "      - switch: r\n        children: \"s[0-1]\"\n"
	 "      - {switch: s0, nodes: \"n[1-2]\"}\n      - {switch: s1, nodes: n3}\n",
	 "r/1(s0 s1) s0/0[n1 n2] s1/0[n3]", .is_yaml = true},
	{"yaml: blocks, by name",
	 "- topology: b\n  block:\n    block_sizes: [2, 4]\n    blocks:\n"
	 "      - {block: x, nodes: \"n[1-2]\"}\n      - {block: y, nodes: \"n[3-4]\"}\n"
	 "- topology: f\n  flat: true\n",
	 "x/0[n1 n2] y/0[n3 n4] blocks-4-0/1(x y)", .is_yaml = true, .name = "b"},
	{"yaml: flat", "- topology: f\n  flat: true\n",
	 ":1: a flat topology names no nodes: complete:nodes=N makes one", .is_yaml = true},
	{"yaml: none of that name", "- topology: f\n  flat: true\n",
	 ":1: no topology is named 'g' (there are: f)", .is_yaml = true, .name = "g"},
	{"yaml: a key", "- topology: f\n  tree:\n    switches:\n      - {switch: a, node: n}\n",
	 ":4: 'node' is not a key here (switch …)", .is_yaml = true},
	{"yaml: no list", "topology: f\n", ":1: expected a list of topologies (- topology: NAME …)",
	 .is_yaml = true},
};

static void show(const struct slurm_topology *slurm, struct buf *out)
{
	for (size_t s = 0; s < slurm->switches.n; s++) {
		const struct slurm_switch *sw = &slurm->switches.at[s];

		buf_printf(out, "%s%s/%d", s > 0 ? " " : "", sw->name, sw->level);
		for (size_t i = 0; i < sw->children.n; i++)
			buf_printf(out, "%s%s", i > 0 ? " " : "(",
				   slurm->switches.at[sw->children.at[i]].name);
		buf_str(out, sw->children.n > 0 ? ")" : "");
		for (size_t i = 0; i < sw->nodes.n; i++)
			buf_printf(out, "%s%s", i > 0 ? " " : "[",
				   slurm->nodes.at[sw->nodes.at[i]]);
		buf_str(out, sw->nodes.n > 0 ? "]" : "");
		if (sw->speed > 0)
			buf_printf(out, "*%d", sw->speed);
	}
}

static int try(size_t number)
{
	char path[64];
	char *paths[2] = {path, NULL};
	struct slurm_topology *slurm;
	struct buf out = {0};
	struct err err;
	FILE *file;
	int failed, status;

	snprintf(path, sizeof(path), "/tmp/slurmconf-test-%d", (int)getpid());
	file = fopen(path, "w");
	if (file == NULL || fputs(cases[number].text, file) < 0 || fclose(file) != 0)
		abort();
	if (cases[number].is_yaml)
		status = slurm_topology_read_yaml(&slurm, path, cases[number].name, &err);
	else
		status = slurm_topology_read(&slurm, paths, &err);
	if (status == 0)
		show(slurm, &out);
	else
		buf_str(&out, str_starts(err.msg, path) ? err.msg + strlen(path) : err.msg);
	failed = !str_eq(buf_text(&out), cases[number].wanted);
	if (failed)
		printf("failed: %s:\n got    %s\n wanted %s\n", cases[number].what, buf_text(&out),
		       cases[number].wanted);
	slurm_topology_free(slurm);
	buf_free(&out);
	unlink(path);
	return failed;
}

int main(void)
{
	int nfailed = 0;

	die_set_quiet(true);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		nfailed += try(i);
	return nfailed > 0;
}
