/* What JavaScript was asked, asked again: each question reads what it is about and hashes the answer. Bodies and meshes are those that earlier
 * questions of the file made. */
#ifndef BWX_QUESTIONS_H
#define BWX_QUESTIONS_H

#include "reader.h"

enum { MOST = 1 << 20, OBJECTS = 4096 };

extern bw_mesh meshes[OBJECTS];
extern bw_tree *trees[OBJECTS];
extern uint32_t tree_mesh[OBJECTS], mesh_count, tree_count;

void read_mesh(reader *r);
bw_body read_body(reader *r);
hash of_hits(hash h, const bw_hit *hits, uint64_t count);

hash tree_question(reader *r);
hash update_question(reader *r);
hash collide_question(reader *r);
hash contacts_question(reader *r);
hash distance_question(reader *r);
hash within_question(reader *r);
hash nearest_question(reader *r);
hash signed_question(reader *r);
hash rays_question(reader *r);
hash region_question(reader *r);
hash batch_question(reader *r);
hash swept_question(reader *r);
hash timeline_question(reader *r);
hash kinetic_question(reader *r);
hash scene_question(reader *r);
hash nested_question(reader *r);
hash plans_question(reader *r);
hash user_question(reader *r);
hash anytime_question(reader *r);
hash rigid_question(reader *r);
hash shapes_question(reader *r);
hash world_question(reader *r);

#endif
