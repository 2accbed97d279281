/* colours.h - the colours of jobs in drawings */
#ifndef MACHINE_DRAW_COLOURS_H
#define MACHINE_DRAW_COLOURS_H

/*
 * Eight colours that people who cannot distinguish red from green can tell apart (Okabe and Ito,
 * Color universal design, 2008, with indigo in place of black), each plain and with seven marks:
 * after 64 jobs they come again.
 */
enum { COLOURS = 8, COLOUR_MARKS = 8, COLOUR_LOOKS = COLOURS * COLOUR_MARKS };
#define COLOUR_IDLE "#e4e4e4"
#define COLOUR_NODE "#7fa8c9"   /* where no jobs are shown */
#define COLOUR_SWITCH "#4a4f57" /* routers */

const char *colour_of(int job); /* "#0072b2" */
int colour_mark(int job);       /* 0: plain */

#endif
