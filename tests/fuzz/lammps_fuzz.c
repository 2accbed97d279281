/* lammps_fuzz.c - LAMMPS logs */
#include "convert.h"

FUZZ_READER("lammps", "profile")
