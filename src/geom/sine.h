/* Sine and cosine with the same bits on every platform, which those of C libraries do not have. */
#ifndef BW_GEOM_SINE_H
#define BW_GEOM_SINE_H

/* Off by less than one unit in the last place; by 2^-80 where an angle beyond pi / 2 is nearer to a zero than 2^-28.
 * Beyond 2^20 the angle is brought into one turn by the double that is nearest to 2 pi, which moves it by less than 0.36 of what its own last
 * place is worth. Not a number where the angle is not finite. */
double bw_sine(double angle);
double bw_cosine(double angle);

#endif
