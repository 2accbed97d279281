/* slurm_json.h - values of Slurm's JSON, whose form changes with the version */
#ifndef CONVERT_READER_SLURM_JSON_H
#define CONVERT_READER_SLURM_JSON_H

#include "convert/reader/slurm_rows.h"
#include "formats/yaml.h"

/*
 * A number as any version writes it: 5, "5", null, or {"set": true, "infinite": false, "number":
 * 5}. Absent, null, unset, infinite and negative (a sentinel that leaked) are none.
 */
bool json_number(const struct yaml *value, int64_t *number);
/* A text that says something: not "", "None assigned" or "(null)"; NULL. */
const char *json_text(const struct yaml *map, const char *key);
/* A value behind keys: json_at(job, "time", "start"); NULL: not there. */
#define json_at(map, ...) json_at_keys(map, (const char *const[]){__VA_ARGS__, NULL})
const struct yaml *json_at_keys(const struct yaml *map, const char *const *keys);
/* A word or a list of words, joined by sep, into text; NULL: none. */
const char *json_words(const struct yaml *value, const char *sep, struct buf *text);

/* A job of squeue, scontrol show job or sacct. The texts are in the item, or in room. */
struct json_job_room {
	struct flow *flow; /* counts states that are not known */
	struct buf id, het_job, state, features;
	struct slurm_shares cpus, gpus, memory;
	char word[32];
	struct slurm_line line;
};
void json_job_read(struct slurm_job *job, const struct yaml *item, struct json_job_room *room);
void json_job_room_free(struct json_job_room *room);

#endif
