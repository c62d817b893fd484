/* Every function of the public headers is called at least once by these files, through the installed package.
 * They keep to what is both C11 and C++17, and are compiled as both: test/package/every_call does it. */
#ifndef CALLS_H
#define CALLS_H

#include <boxwood/boxwood.h>

/* Counts a failure, and names it. */
void calls_check(bool holds, const char *file, int line, const char *what);
#define CHECK(what) calls_check(what, __FILE__, __LINE__, #what)

/* A tetrahedron with a corner at the origin, closed, and the same as a mesh of doubles a little aside, so
 * that both cross. */
extern const bw_mesh calls_mesh, calls_aside;
/* One worker that does everything itself. */
extern const bw_tasks calls_tasks;
bw_vec3 calls_vec3(double x, double y, double z);
/* A callback that goes on. */
bool calls_go_on(void *user);

void call_math(void);
void call_mesh(void);
void call_tree(void);
void call_collide(void);
void call_contact(void);
void call_nearest(void);
void call_swept(void);
void call_shape(void);
void call_motion(void);
void call_kinetic(void);
void call_timeline(void);
void call_scene(void);
void call_cull(void);
void call_world(void);
void call_anytime(void);
void call_pool(void);

#endif
