/* header_file.h - where LDMS puts a header that is not in the data file */
#ifndef ALGO_TRAFFIC_HEADER_FILE_H
#define ALGO_TRAFFIC_HEADER_FILE_H

/*
 * store_csv with altheader=1 writes SCHEMA.HEADER beside SCHEMA, and with rollover
 * SCHEMA.HEADER.EPOCH beside SCHEMA.EPOCH; each may have been compressed (.gz). The name of the one
 * that is there, to be freed, or NULL.
 */
char *header_file_find(const char *path);

#endif
