/* explog.h - exponentials and logarithms that are the same on every machine */
#ifndef BASE_EXPLOG_H
#define BASE_EXPLOG_H

/*
 * Libraries differ in the last bit of exp and log, and a draw that is decided by it would differ
 * with them. These two use IEEE addition, multiplication and division only. Relative error below
 * 1e-15; x within -700 … 700, and positive.
 */
double same_exp(double x);
double same_log(double x);

#endif
