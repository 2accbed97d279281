/* plugin.h - code that is loaded when it is needed */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include "base/err.h"

/* The path of lib/placetools/NAME.so beside the folder of the program, to be freed; NULL: it is not
 * there. */
char *plugin_find(const char *name, struct err *err);

/* The object called symbol of the plug-in NAME.so, which stays loaded until the process ends. NULL:
 * it is not there, or can't be loaded. */
const void *plugin_load(const char *name, const char *symbol, struct err *err);

#endif
