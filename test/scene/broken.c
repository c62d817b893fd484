/* bw_scene_check finds what is wrong with a tree: each invariant is broken in turn, by hand, and made whole again. */
#include "scene/modern/modern.h"
#include "scene/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECTS = 2000 };

static const bw_scene *scene;

static void expect(const char *fault)
{
    const char *found = bw_scene_check(scene);
    if ((found == NULL) != (fault == NULL) || (found != NULL && strcmp(found, fault) != 0))
        fail_msg("'%s' instead of '%s'", found == NULL ? "nothing" : found,
                 fault == NULL ? "nothing" : fault);
}

/* Changes one value, expects the fault, and puts the value back. */
#define BROKEN(place, value, fault)                                                                          \
    do {                                                                                                     \
        const __typeof__(place) before = place;                                                              \
        place = value;                                                                                       \
        expect(fault);                                                                                       \
        place = before;                                                                                      \
        expect(NULL);                                                                                        \
    } while (0)

/* The first leaf that the check comes to, and where its parent holds it. */
static bw_modern_leaf *first_leaf(bw_modern_tree *tree, uint32_t *index, bw_node_ref **held)
{
    bw_node_ref *at = &tree->root;
    while (!bw_modern_is_leaf(*at)) {
        bw_modern_node *node = bw_modern_node_at(tree, bw_modern_node_of(*at));
        int slot = 0;
        while (node->child[slot] == 0)
            slot++;
        at = &node->child[slot];
    }
    *held = at;
    *index = bw_modern_leaf_of(*at);
    return bw_modern_leaf_at(tree, *index);
}

static void break_leaves(bw_modern_tree *tree)
{
    uint32_t index;
    bw_node_ref *held;
    bw_modern_leaf *leaf = first_leaf(tree, &index, &held);
    assert_true(leaf->count > 1 && leaf->count < BW_MODERN_LEAF_CAPACITY);
    BROKEN(*held, bw_modern_ref_leaf(tree->leaves.end, 1), "a leaf beyond the end of its pool");
    BROKEN(leaf->count, 0, "a leaf is empty, free or overfull");
    BROKEN(leaf->count, BW_MODERN_FREE, "a leaf is empty, free or overfull");
    BROKEN(leaf->count, leaf->count - 1, "a leaf and its parent disagree about the count");
    BROKEN(leaf->parent, leaf->parent + 1, "a leaf does not know its parent");
    BROKEN(leaf->changes, leaf->changes | 1u, "a leaf was left dirty");
    BROKEN(leaf->box[0], leaf->box[0] - 1, "a leaf's box is not the one its parent holds");
    BROKEN(leaf->boxes[1][0], -1e30f, "an object sticks out of its leaf");
    BROKEN(leaf->boxes[1][0], 1e30f, "an object's box is inverted");
    BROKEN(leaf->ids[1], leaf->ids[1] + ((bw_id)1 << 32), "a leaf holds an id that is not live");
    bw_entry *entry = bw_table_entry(tree->base.table, bw_id_index(leaf->ids[1]));
    BROKEN(entry->location, bw_modern_location(index, 0), "an id does not lead to its object");
}

static void break_nodes(bw_modern_tree *tree)
{
    const uint32_t root = bw_modern_node_of(tree->root);
    bw_modern_node *node = bw_modern_node_at(tree, root);
    BROKEN(tree->root, bw_modern_ref_node(tree->nodes.end), "a node beyond the end of its pool");
    BROKEN(tree->links[root].parent, 5, "a node does not know its parent");
    BROKEN(tree->bounds[2], tree->bounds[2] - 1, "a node's box is not the union of its children's");
    BROKEN(tree->base.objects, OBJECTS - 1, "the count of objects is wrong");
    BROKEN(tree->leaves.end, tree->leaves.end + 1, "a leaf block is lost");
    BROKEN(tree->nodes.end, tree->nodes.end + 1, "a node is lost");
    uint32_t empty = 0;
    for (uint32_t i = 0; i < 8 * tree->nodes.end; i++) {
        bw_modern_node *n = bw_modern_node_at(tree, i / 8);
        if (tree->links[i / 8].parent != BW_MODERN_FREE_NODE && n->child[i % 8] == 0) {
            BROKEN(n->box[0][i % 8], 1e30f, "an empty slot has a box");
            empty++;
        }
    }
    assert_true(empty > 0);
    BROKEN(node->plane[0], INFINITY, "a child stands behind a plane that is not there");
}

static void test_modern(void **state)
{
    (void)state;
    bws_random random = bws_random_seeded(7);
    const bw_scene_desc desc = {.nesting = BW_NESTING_MODERN};
    world w = world_create(&random, WORLD_UNIFORM, OBJECTS, &desc, BW_SIMD_AUTO);
    scene = w.scene;
    bw_modern_tree *tree = (bw_modern_tree *)w.scene->tree;
    expect(NULL);
    BROKEN(tree->bounds[0], 0, "an empty tree has a box");
    world_insert_many(&w, OBJECTS);
    expect(NULL);
    break_leaves(tree);
    break_nodes(tree);
    BROKEN(w.scene->table.entries.end, w.scene->table.entries.end + 1, "ids and objects differ in number");
    world_destroy(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_modern)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
