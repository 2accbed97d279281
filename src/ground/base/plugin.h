/* plugin.h - code that is loaded when it is needed */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include "base/err.h"

/*
 * The object called symbol of the plug-in NAME.so, which stays loaded until the process ends.
 * Looked for as it is built (plugins/ beside the program), then as it is installed
 * (../lib/placetools). Returns NULL when there is none (err says where it was looked for) or it
 * can't be loaded.
 */
const void *plugin_load(const char *name, const char *symbol, struct err *err);

#endif
