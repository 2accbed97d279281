/* task_graph.c - graphs of tasks: what is read, and what is refused with its line */
#include <stdio.h>
#include <unistd.h>

#include "model/task_graph.h"
#include "check.h"

static const struct task_rates rates = {.flops_per_s = 1e12, .memory_bytes_per_s = 1e9};

/* Reads a stream with this head and these rows; blanks are tabs in rows. */
static int read_text(struct task_graph *graph, const char *head, const char *rows, struct err *err)
{
	char path[] = "/tmp/task_graph.XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");
	int status;

	fprintf(file,
		"##placetools=graph/1\n%s\nprogram\tid\top\tafter\ttime_s\tflops\t"
		"memory_bytes\tbytes\tgroup\tpeer\ttag\n",
		head);
	for (; *rows != '\0'; rows++)
		fputc(*rows == ' ' ? '\t' : *rows, file);
	fclose(file);
	*graph = (struct task_graph){0};
	status = task_graph_read(graph, path, 0, &rates, false, err);
	unlink(path);
	return status;
}

static void refused(const char *head, const char *rows, const char *why)
{
	struct task_graph graph;
	struct err err = {0};

	CHECK(read_text(&graph, head, rows, &err) != 0);
	if (strstr(err.msg, why) == NULL)
		fprintf(stderr, "expected '%s' in '%s'\n", why, err.msg);
	CHECK(strstr(err.msg, why) != NULL);
	task_graph_free(&graph);
}

static void check_reading(void)
{
	struct task_graph graph;
	const struct task_program *program;
	const struct task *tasks;
	struct err err = {0};

	CHECK(read_text(&graph, "##ranks=4\n##group=g:0,1|3,2\n##program=a:0-1\n##program=b:2-3",
			"b 7 compute 3,^5 0.5 . . . . . .\n"
			"b 3 send . . . . 10 g +1 .\n"
			"b 5 recv 3 . . . . g -1 .\n"
			"b 9 compute 7 . 2e9 5e9 . . . .\n"
			"b 11 allreduce 9 . . . 8 g . .\n"
			"a 0 allreduce . . . . 8 g . .\n",
			&err) == 0);
	CHECK(graph.has_any); /* a receive of any tag */
	task_graph_free(&graph);
	CHECK(read_text(&graph, "##ranks=4\n##group=g:0,1|3,2\n##program=a:0-1\n##program=b:2-3",
			"b 7 compute 3,^5 0.5 . . . . . .\n"
			"b 3 send . . . . 10 g +1 4\n"
			"b 5 recv 3 . . . . g -1 4\n"
			"b 9 compute 7 . 2e9 5e9 . . . .\n"
			"b 11 allreduce 9 . . . 8 g . .\n"
			"a 0 allreduce . . . . 8 g . .\n",
			&err) == 0);
	CHECK(!graph.has_any && graph.nranks == 4 && graph.programs.n == 2 && graph.groups.n == 2);
	program = &graph.programs.at[1];
	tasks = program->tasks.at;
	CHECK(program->tasks.n == 5 && tasks[0].id == 3 && tasks[4].id == 11);
	CHECK(tasks[2].nunmet == 2 && tasks[2].duration_ps == 500000000000);
	CHECK(tasks[3].duration_ps == 5000000000000);
	CHECK(tasks[1].first - tasks[0].first == 2);
	CHECK(program->dependents[tasks[0].first] == 1 << 1);
	CHECK(program->dependents[tasks[0].first + 1] == 2 << 1);
	CHECK(program->dependents[tasks[1].first] == (2 << 1 | 1));
	CHECK(task_group_size(&graph, 1, 2) == 2 && task_group_place(&graph, 1, 2) == 1);
	CHECK(task_group_rank(&graph, 1, 0, 2) == 3);
	CHECK(task_peer(&graph, &tasks[0], 2) == 3 && task_peer(&graph, &tasks[1], 3) == 2);
	CHECK(graph.program_of[1] == 0 && graph.program_of[3] == 1);
	task_graph_free(&graph);
}

static void check_refused(void)
{
	const char *two = "##ranks=2\n##program=a:0\n##program=b:1";

	refused("##x=1", "", "##ranks=N");
	refused("##ranks=2\n##program=a:0", "", "rank 1 has no program");
	refused("##ranks=2\n##program=a:0-1\n##program=b:1", "a 0 mark . . . . . . . .\n",
		"rank 1 has the program a");
	refused("##ranks=2\n##program=a:0-2", "", "a:");
	refused("##ranks=2\n##group=g:0,1|1\n##program=a:0-1", "a 0 mark . . . . . . . .\n", "g:");
	refused("##ranks=3\n##group=g:0,1,0\n##program=a:0-2", "a 0 mark . . . . . . . .\n",
		"rank 0 is there twice");
	refused(two, "c 0 mark . . . . . . . .\n", ":6: program: no line ##program=c");
	refused(two, "a 0 mark . . . . . . . .\na 0 mark . . . . . . . .\n",
		":7: program a: id 0 was there before, in line 6");
	refused(two, "a 0 mark 4 . . . . . . .\n", ":6: program a, id 0: after: there is no id 4");
	refused(two,
		"a 0 mark 1 . . . . . . .\na 1 mark 2 . . . . . . .\na 2 mark ^1 . . . . . . .\n",
		"it waits for itself, in a cycle");
	refused(two, "a 0 mark 0 . . . . . . .\n", "program a, id 0: it waits for itself");
	refused(two, "a 0 mark x . . . . . . .\n", ":6: after: 'x'");
	refused(two, "a 0 compute . . . . . . . .\n", ":6: compute: expected time_s");
	refused(two, "a 0 compute . -1 . . . . . .\n", ":6: ");
	refused(two, "a 0 send . . . . 8 . 2 .\n", ":6: peer: rank 2 is not among the 2");
	refused(two, "a 0 send . . . . . . 1 .\n", ":6: send: expected peer and bytes");
	refused(two, "a 0 send . . . . 8 g +1 .\n", ":6: group: no line ##group=g");
	refused("##ranks=2\n##group=g:0\n##program=a:0-1", "a 0 barrier . . . . . g . .\n",
		":6: group: rank 1, of program a, is in no part of g");
	refused(two, "a 0 frobnicate . . . . . . . .\n", ":6: op: 'frobnicate'");
	refused(two, "a 0 barrier . . . . . . . .\n",
		"program a, id 0: barrier of group all ranks: rank 1, program b, has fewer");
	refused(two, "a 0 allreduce . . . . 8 . . .\nb 3 allreduce . . . . 9 . . .\n",
		"program b, id 3: allreduce of group all ranks: rank 1 differs from rank 0, "
		"program a, id 0, in bytes");
}

int main(void)
{
	check_reading();
	check_refused();
	return check_done();
}
