/* overlay.c - what a drawing of a machine shows of other tables: jobs, traffic, loads of links */
#include "machine/export/overlay.h"

#include "base/die.h"
#include "base/time.h"

static int read_at(const char *at, int64_t *ns, struct err *err)
{
	*ns = INT64_MIN;
	return at == NULL || time_read(at, ns, err) == 0 ? 0 : err_prefix(err, "--at: ");
}

static int read_jobs(struct overlay *overlay, const struct topo *topo,
		     const struct overlay_paths *paths, int64_t time_ns, struct err *err)
{
	int cut;

	if (paths->jobs == NULL)
		return 0;
	cut = placed_read(&overlay->placed, topo, paths->jobs, time_ns, paths->accepts_partial,
			  err);
	if (cut < 0)
		return err_prefix(err, "--jobs: ");
	overlay->ncut += cut;
	if (overlay->placed.nhidden > 0)
		warn("--jobs: %d job%s on nodes that are drawn for a job of another time: --at draws "
		     "one moment",
		     overlay->placed.nhidden, overlay->placed.nhidden == 1 ? " is" : "s are");
	overlay->how.panels = overlay->placed.shown.at;
	overlay->how.npanels = (int)overlay->placed.shown.n;
	return 0;
}

static int read_heat(struct overlay *overlay, const struct topo *topo,
		     const struct overlay_paths *paths, int64_t time_ns, struct err *err)
{
	int cut = 0;

	if (paths->traffic != NULL) {
		cut = router_heat_read(&overlay->routers, topo, paths->traffic, time_ns,
				       paths->accepts_partial, err);
		if (cut < 0)
			return err_prefix(err, "--traffic: ");
		overlay->how.routers = &overlay->routers;
	}
	overlay->ncut += cut;
	if (paths->links == NULL)
		return 0;
	cut = link_heat_read(&overlay->links, topo, paths->links, paths->accepts_partial, err);
	if (cut < 0)
		return err_prefix(err, "--links: ");
	overlay->how.links = &overlay->links;
	overlay->ncut += cut;
	return 0;
}

static int check_overlay(const struct overlay *overlay, const struct overlay_paths *paths,
			 const struct topo_exporter *exporter, struct err *err)
{
	if (exporter->draws_panels)
		return 0;
	if (paths->traffic != NULL || paths->links != NULL)
		return err_set(err, "--%s goes with a format that draws it: --to svg",
			       paths->traffic != NULL ? "traffic" : "links");
	if (exporter->shows_jobs && overlay->how.npanels > 1)
		return err_set(err,
			       "--jobs: jobs of %d runs and policies: expected one; select "
			       "it, as by traceconv -f where",
			       overlay->how.npanels);
	return 0;
}

int overlay_read(struct overlay *overlay, const struct topo *topo,
		 const struct overlay_paths *paths, const struct pick *pick, struct err *err)
{
	int64_t time_ns;

	*overlay = (struct overlay){.how = {.pick = pick}};
	if (read_at(paths->at, &time_ns, err) != 0 ||
	    read_jobs(overlay, topo, paths, time_ns, err) != 0 ||
	    read_heat(overlay, topo, paths, time_ns, err) != 0)
		return -1;
	return check_overlay(overlay, paths, (const struct topo_exporter *)pick->entry, err);
}

void overlay_free(struct overlay *overlay)
{
	placed_free(&overlay->placed);
	router_heat_free(&overlay->routers);
	link_heat_free(&overlay->links);
}
