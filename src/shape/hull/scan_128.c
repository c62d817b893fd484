/* The farthest vertex of a hull, registers of two doubles. */
#define SCAN_TARGET
#define SCAN bw_hull_scan_128
#include "shape/hull/scan_template.h"
