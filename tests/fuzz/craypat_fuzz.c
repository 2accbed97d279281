/* craypat_fuzz.c - CrayPat reports */
#include "convert.h"

FUZZ_READER("craypat:app=x,ranks=4", "profile")
