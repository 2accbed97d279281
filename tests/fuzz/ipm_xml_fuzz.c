/* ipm_xml_fuzz.c - IPM's XML logs */
#include "convert.h"

FUZZ_READER("ipm-xml", "profile")
