/* csv_scan.h - the inner loop of reading CSV: where chosen fields of one line are */
#ifndef FORMATS_CSV_SCAN_H
#define FORMATS_CSV_SCAN_H

#include <stdbool.h>
#include <stdint.h>

enum { CSV_PAD = 64 }; /* bytes behind the text that a scan may read */

struct csv_scan {
	const char *end; /* the newline */
	int nfields;
	bool is_quoted; /* a quote is in the line: bounds were not filled in */
};

/*
 * Scans the line at p up to its newline, which must come. bounds [nbounds] ascending: field numbers
 * from 0; at [nbounds] gets the first byte of each of them. The number of fields is a bound like
 * the others: one behind the newline. What the line does not have is left as it was.
 */
typedef struct csv_scan csv_scan_fn(const char *p, const int *bounds, int nbounds, const char **at);

/* The fastest that this processor runs; all give the same. */
csv_scan_fn *csv_scan_best(void);

/* Each of them, for tests: index from 0; NULL where the processor cannot, or behind the last. */
csv_scan_fn *csv_scan_variant(int index, const char **name);
enum { CSV_SCAN_VARIANTS = 3 };

#endif
