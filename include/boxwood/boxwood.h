/* Boxwood: collision detection and visibility among things that move and deform. Everything in one include.
 */
#ifndef BOXWOOD_H
#define BOXWOOD_H

#include <boxwood/anytime.h>
#include <boxwood/anytime_train.h>
#include <boxwood/base.h>
#include <boxwood/ccd.h>
#include <boxwood/collide.h>
#include <boxwood/contact.h>
#include <boxwood/cull.h>
#include <boxwood/kinetic.h>
#include <boxwood/math.h>
#include <boxwood/mesh.h>
#include <boxwood/motion.h>
#include <boxwood/nearest.h>
#include <boxwood/region.h>
#include <boxwood/scene.h>
#include <boxwood/shape.h>
#include <boxwood/swept.h>
#include <boxwood/timeline.h>
#include <boxwood/tree.h>
#include <boxwood/world.h>

#endif
