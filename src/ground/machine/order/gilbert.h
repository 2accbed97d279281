/* gilbert.h - Hilbert's curve through boxes of any sizes, in two and three dimensions */
#ifndef MACHINE_ORDER_GILBERT_H
#define MACHINE_ORDER_GILBERT_H

/* Calls visit for every place of a box once. Each is adjacent to the previous one, but for a
 * diagonal step where an odd size leaves no other way. sizes [3], 1 where there is no such
 * dimension. */
typedef void gilbert_fn(void *context, const int at[3]);
void gilbert(const int sizes[3], gilbert_fn *visit, void *context);

#endif
