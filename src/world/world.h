/* The world from the inside: bodies by the places that their scene gives them, pairs of bodies whose boxes meet, and
 * the contacts of the last step. */
#ifndef BW_WORLD_WORLD_H
#define BW_WORLD_WORLD_H

#include "base/array.h"
#include "shape/convex.h"

#include <boxwood/world.h>

typedef struct bw_member {
    bw_id id;      /* 0: no body has this place */
    uint64_t call; /* the last call for many that named it */
    bool fixed, posed;
    uint32_t layers, mask, group;
    uint64_t user;
    bool is_shape;
    bw_shape shape;
    bw_convex placed; /* the shape where it stands; points to its pose */
    bw_body mesh;     /* tree and mesh; of a kinetic body as it was last said to be */
    bw_kinetic *kinetic;
    bw_transform pose;
    bw_box room; /* its box in the scene, around its box: while that stays inside, the scene is left alone */
} bw_member;

/* What is kept of two bodies as long as their boxes in the scene meet. */
typedef struct bw_broad_pair {
    bw_id a, b;           /* a's place is the lower */
    bw_shape_cache warm;  /* two shapes */
    bw_witness witness;   /* two meshes */
    bw_pair_cache *cache; /* a kinetic body is one of them; NULL: none yet */
} bw_broad_pair;

/* Broad pairs in order. */
typedef struct bw_broad_key {
    uint64_t key; /* the places of a, above, and b */
    uint32_t pair;
    uint32_t apart; /* kept apart by the filters that stay from step to step */
} bw_broad_key;

/* The contacts that one piece of a step has found: the work of one range of broad pairs. */
typedef struct bw_piece {
    bw_array contacts; /* of bw_world_contact */
    bw_array meetings; /* of bw_meeting */
    bw_array keys;     /* of uint64_t: for sorting */
    bw_array order;    /* of uint32_t */
    bw_array unsorted; /* of bw_world_contact */
    bw_result result;
    bw_fault fault;
    uint32_t element; /* of the fault: the place of the first body */
} bw_piece;

/* A pair in contact: its contacts in the piece, in order. */
typedef struct bw_meeting {
    bw_id a, b;
    uint32_t first, count;
} bw_meeting;

/* A body on the move: where it will be. */
typedef struct bw_moving {
    bw_result result;
    bool leaves; /* its room */
    bw_box box;
    bw_convex placed;
} bw_moving;

/* Two bodies whose contacts are allowed. */
typedef struct bw_allowed {
    bw_id a, b;
} bw_allowed;

struct bw_world {
    bw_allocator allocator;
    bw_tasks tasks;
    bool threaded;
    double separation;
    bw_scene *scene;
    bw_array members;            /* of bw_member, by place */
    bw_array boxes;              /* of bw_box, by place: around the body, and half the separation */
    bw_array broad_pairs;        /* of bw_broad_pair */
    bw_array free;               /* of uint32_t: broad pairs that are free */
    bw_array broad_keys;         /* of bw_broad_key, by key */
    bw_array merged;             /* of bw_broad_key: the next list */
    bw_array began, ended_pairs; /* of bw_pair: what the scene tells */
    bool recount;                /* some of that was lost: broad pairs are to be made again */
    bw_array allowed;            /* of bw_allowed, ascending */
    bool filters_changed;        /* broad pairs' `apart` is to be decided again */
    bw_array active;             /* of uint32_t: broad pairs to be looked at in this step */
    bw_array pieces;             /* of bw_piece */
    /* What the last step gave, and, in the other place, what the next will. */
    bw_array contacts[2]; /* of bw_world_contact */
    bw_array pairs[2];    /* of bw_world_pair */
    bw_array ended;       /* of bw_world_contact */
    bw_array moving;      /* of bodies on the move: scratch */
    uint64_t call;        /* calls for many so far */
    int now;
    bool listed; /* the last step listed contacts */
    uint64_t next_contact;
};

static inline uint32_t bw_place_of(bw_id id)
{
    return (uint32_t)id;
}

static inline bw_member *bw_member_at(const bw_world *world, uint32_t place)
{
    return bw_array_at(&world->members, place);
}

static inline bw_broad_pair *bw_broad_pair_at(const bw_world *world, uint32_t pair)
{
    return bw_array_at(&world->broad_pairs, pair);
}

static inline const bw_tasks *bw_world_tasks(const bw_world *world)
{
    return world->threaded ? &world->tasks : NULL;
}

static inline bw_box *bw_box_at(const bw_world *world, uint32_t place)
{
    return bw_array_at(&world->boxes, place);
}

/* The member of an id, or NULL and why. */
bw_member *bw_world_find(const bw_world *world, bw_id id, bw_result *why);
/* A member as a body, or as a shape: both point into it. */
bw_body bw_member_body(const bw_member *member);
bw_placed_shape bw_member_shape(const bw_member *member);

#endif
