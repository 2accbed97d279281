/* layer_text.h - devices as one text, by which clslice run hands them to the layer */
#ifndef LIVE_LAYER_LAYER_TEXT_H
#define LIVE_LAYER_LAYER_TEXT_H

#include "base/str.h"
#include "model/devices.h"

/* What selects each of them: the layer reads no file. */
void layer_text_write(const struct devices *devices, struct buf *text);
/* -1: not such a text. Else devices_free frees them. */
int layer_text_read(struct devices *devices, const char *text);

#endif
