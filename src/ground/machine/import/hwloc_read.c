/* hwloc_read.c - what hwloc's XML says about one host: its objects and how they nest */
#include "machine/import/hwloc_read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/str.h"
#include "formats/xml.h"

enum { DEEPEST = 256, DIFFS_MOST = 8 };

struct hwloc_reader {
	struct hwloc_host *host;
	struct xml *xml;
	const char *path;
	int open[DEEPEST]; /* objects that are open, by depth of the XML; -1: none of ours */
	int64_t nvisible, ncomplete; /* PUs of the cpusets of the whole; 0: unknown */
	bool is_in_cgroup;
	char *other; /* of a difference: the file it is one to */
	char *name;
};

bool hwloc_is(const struct hwloc_object *object, const char *type)
{
	if (str_eq(type, "Package") && str_eq(object->type, "Socket")) /* hwloc 1 */
		return true;
	return str_eq(object->type, type);
}

static bool has_processors(const char *type)
{
	static const char *const types[] = {"System",   "Machine", "Drawer", "Book",
					    "Socket",   "Package", "Die",    "Group",
					    "NUMANode", "Cache",   "Core",   "PU"};
	size_t n = strlen(type);

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (str_eq(type, types[i]))
			return true;
	return n > 5 && str_eq(type + n - 5, "Cache");
}

/* 0x000000ff,0xffffffff; "0xf...f" (without an end) counts as 0. */
static int64_t count_bits(const char *set)
{
	int64_t n = 0;

	if (set == NULL || strstr(set, "...") != NULL)
		return 0;
	for (; *set != '\0'; set++) {
		const char *digits = "0123456789abcdef", *at;

		if (set[0] == '0' && set[1] == 'x')
			set += 2;
		if (*set == '\0')
			break;
		at = strchr(digits, *set);
		if (at != NULL)
			n += __builtin_popcount((unsigned)(at - digits));
	}
	return n;
}

static int open_object(struct hwloc_reader *reading, struct err *err)
{
	const char *type = xml_attribute(reading->xml, "type");
	struct hwloc_host *host = reading->host;
	int depth = xml_depth(reading->xml), number = 0;
	int parent = depth > 1 ? reading->open[depth - 1] : -1;

	if (type == NULL)
		return xml_error(reading->xml, err, "an object without a type");
	if (depth >= DEEPEST)
		return xml_error(reading->xml, err, "objects nest more than %d deep", DEEPEST);
	reading->open[depth] = -1;
	if (!has_processors(type) || (host->objects.n > 0 && parent < 0))
		return 0;
	if (host->objects.n == 0) {
		reading->nvisible = count_bits(xml_attribute(reading->xml, "cpuset"));
		reading->ncomplete = count_bits(xml_attribute(reading->xml, "complete_cpuset"));
	}
	for (size_t i = host->objects.n; i-- > 0 && number == 0;)
		if (str_eq(host->objects.at[i].type, type))
			number = host->objects.at[i].number + 1;
	reading->open[depth] = (int)host->objects.n;
	vec_push(&host->objects,
		 (struct hwloc_object){arena_strndup(&host->arena, type, strlen(type)), parent,
				       number});
	return 0;
}

static void take_info(struct hwloc_reader *reading)
{
	const char *name = xml_attribute(reading->xml, "name");
	const char *value = xml_attribute(reading->xml, "value");

	if (name == NULL || value == NULL)
		return;
	if (str_eq(name, "HostName") && reading->name == NULL)
		reading->name = xstrdup(value);
	if (str_eq(name, "LinuxCgroup") && !str_eq(value, "/"))
		reading->is_in_cgroup = true;
}

static void take_diff(struct hwloc_reader *reading)
{
	const char *name = xml_attribute(reading->xml, "obj_attr_name");
	const char *value = xml_attribute(reading->xml, "obj_attr_newvalue");

	if (name != NULL && value != NULL && str_eq(name, "HostName") && reading->name == NULL)
		reading->name = xstrdup(value);
}

static int take_tag(struct hwloc_reader *reading, struct err *err)
{
	const char *tag = xml_name(reading->xml), *other;
	int depth = xml_depth(reading->xml);

	if (depth == 1 && str_eq(tag, "topologydiff")) {
		other = xml_attribute(reading->xml, "refname");
		if (other == NULL)
			return xml_error(reading->xml, err, "a difference without refname");
		if (strchr(other, '/') != NULL || other[0] == '\0')
			return xml_error(reading->xml, err,
					 "refname='%.80s': expected a file beside this one", other);
		reading->other = xstrdup(other);
	} else if (depth == 1 && !str_eq(tag, "topology")) {
		return xml_error(reading->xml, err, "<%.40s> is not hwloc XML: expected <topology>",
				 tag);
	}
	if (depth < DEEPEST)
		reading->open[depth] = -1;
	if (str_eq(tag, "object"))
		return open_object(reading, err);
	if (str_eq(tag, "info"))
		take_info(reading);
	if (str_eq(tag, "diff"))
		take_diff(reading);
	return 0;
}

static int read_xml(struct hwloc_reader *reading, const char *path, struct err *err)
{
	struct in *in;
	int status, tags = 0;

	if (in_open(&in, path, err) != 0)
		return -1;
	reading->path = path;
	reading->xml = xml_new(in);
	while ((status = xml_next(reading->xml, err)) > 0)
		if (status == XML_OPEN && (status = take_tag(reading, err)) != 0)
			break;
		else
			tags++;
	if (status == 0 && tags == 0)
		status = in_error(in, err, "is empty; expected hwloc's XML");
	xml_free(reading->xml);
	in_close(in);
	return status;
}

static int read_other(struct hwloc_reader *reading, const char *other, const char *path,
		      struct err *err)
{
	return read_xml(reading, other, err) == 0 ? 0 : err_prefix(err, "%.400s: refname: ", path);
}

/* Of a difference, the objects are those of the other host. */
static int read_all(struct hwloc_reader *reading, const char *path, struct err *err)
{
	char *folder = xstrndup(
		path, (size_t)(strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 - path : 0));
	int status = read_xml(reading, path, err);

	for (int i = 0; reading->other != NULL && status == 0; i++) {
		char *other = xasprintf("%s%s", folder, reading->other);

		free(reading->other);
		reading->other = NULL;
		status = i < DIFFS_MOST ? read_other(reading, other, path, err)
					: err_set(err, "%s: differences to differences, %d of them",
						  path, DIFFS_MOST);
		free(other);
	}
	free(folder);
	return status;
}

/* Whether two parts nest alike, so that they are two of a kind. */
static bool are_alike(const struct topo_inside *a, const struct topo_inside *b)
{
	if (a->nlevels != b->nlevels)
		return false;
	for (int i = 0; i < a->nlevels; i++)
		if (a->count[i] != b->count[i] || !str_eq(a->name[i], b->name[i]))
			return false;
	return true;
}

static void name_level(struct topo_inside *inside, int level, const char *type, int count)
{
	size_t n = 0;

	if (hwloc_is(&(struct hwloc_object){.type = type}, "Package"))
		type = "package";
	for (; n < INSIDE_NAME - 1 && type[n] != '\0'; n++)
		inside->name[level][n] = (char)tolower((unsigned char)type[n]);
	inside->name[level][n] = '\0';
	inside->count[level] = count;
	inside->nlevels = level + 1 > inside->nlevels ? level + 1 : inside->nlevels;
}

/* What is between an object and its cores. */
struct part {
	struct topo_inside inside; /* no levels: it is, or has, one core */
	int ncores, nchildren;     /* those with cores */
	int child;                 /* the first of them */
	bool is_even;              /* all of them are alike */
};

/* An object of several parts: they are a separate level above what nests in each. */
static void join_parts(struct part *part, const struct part *parts,
		       const struct hwloc_object *objects, const char *core)
{
	const struct part *first = &parts[part->child];
	struct topo_inside *inside = &part->inside;

	*inside = first->inside;
	if (part->nchildren == 1)
		return;
	if (!part->is_even || inside->nlevels == INSIDE_LEVELS) {
		inside->nlevels = 0;
		name_level(inside, 0, core, part->ncores);
		return;
	}
	memmove(inside->count + 1, inside->count, sizeof(inside->count) - sizeof(*inside->count));
	memmove(inside->name + 1, inside->name, sizeof(inside->name) - sizeof(*inside->name));
	inside->nlevels++;
	name_level(inside, 0, first->ncores == 1 ? core : objects[part->child].type,
		   part->nchildren);
}

/* Objects come before what they hold: so, from the last one on, each finds the one that
 * holds it. */
static void find_inside(struct hwloc_host *host, const char *core)
{
	const struct hwloc_object *objects = host->objects.at;
	struct part *parts = xcalloc(host->objects.n + 1, sizeof(*parts));

	for (size_t i = host->objects.n; i-- > 0;) {
		struct part *part = &parts[i], *up;

		if (hwloc_is(&objects[i], core))
			part->ncores = 1;
		else if (part->nchildren > 0)
			join_parts(part, parts, objects, core);
		if (part->ncores == 0 || objects[i].parent < 0)
			continue;
		up = &parts[objects[i].parent];
		if (hwloc_is(&objects[objects[i].parent], core))
			continue;
		up->is_even = up->nchildren == 0 ||
			      (up->is_even && are_alike(&part->inside, &parts[up->child].inside));
		up->child = (int)i;
		up->nchildren++;
		up->ncores += part->ncores;
	}
	if (parts[0].inside.nlevels > 1)
		host->inside = parts[0].inside;
	free(parts);
}

static void count_cores(struct hwloc_reader *reading)
{
	struct hwloc_host *host = reading->host;
	int ncores = 0, npus = 0;

	for (size_t i = 0; i < host->objects.n; i++) {
		ncores += hwloc_is(&host->objects.at[i], "Core");
		npus += hwloc_is(&host->objects.at[i], "PU");
	}
	host->ncores = ncores > 0 ? ncores : npus;
	if (!reading->is_in_cgroup || reading->ncomplete <= reading->nvisible || ncores == 0) {
		find_inside(host, ncores > 0 ? "Core" : "PU");
		return;
	}
	host->is_part = true;
	host->ncores = (int)(reading->ncomplete / (npus > ncores ? npus / ncores : 1));
}

static void set_name(struct hwloc_reader *reading, const char *path)
{
	const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	const char *told = reading->name != NULL && reading->name[0] != '\0' ? reading->name : NULL;
	size_t n = strcspn(name, ".");

	if (str_eq(path, "-")) {
		name = told != NULL ? told : "host";
		n = strlen(name);
	} else if (told != NULL && (strlen(told) != n || memcmp(told, name, n) != 0)) {
		say("%s: its HostName is '%.80s'; the file's name counts", path, told);
	}
	reading->host->name = arena_strndup(&reading->host->arena, name, n);
}

int hwloc_read(struct hwloc_host *host, const char *path, struct err *err)
{
	struct hwloc_reader reading = {.host = host};
	int status;

	*host = (struct hwloc_host){.ncores = 0};
	status = read_all(&reading, path, err);
	if (status == 0) {
		count_cores(&reading);
		set_name(&reading, path);
		if (host->ncores == 0)
			status = err_set(
				err, "%s: no Core and no PU: it says nothing of processors", path);
	}
	free(reading.name);
	free(reading.other);
	if (status != 0)
		hwloc_free(host);
	return status;
}

void hwloc_free(struct hwloc_host *host)
{
	vec_free(&host->objects);
	arena_free(&host->arena);
}

int hwloc_cores(const char *folder, const char *name, int *ncores, struct topo_inside *inside,
		struct err *err)
{
	static const char *const endings[] = {"xml", "diff.xml"};

	for (int i = 0; i < 2; i++) {
		char *path = xasprintf("%s/%s.%s", folder, name, endings[i]);
		struct hwloc_host host;
		int status;

		if (access(path, F_OK) != 0) {
			free(path);
			continue;
		}
		status = hwloc_read(&host, path, err);
		free(path);
		if (status != 0)
			return -1;
		*ncores = host.ncores;
		*inside = host.inside;
		hwloc_free(&host);
		return 1;
	}
	return 0;
}
