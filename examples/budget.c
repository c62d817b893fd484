/* Do two bodies collide? Answered within a budget, with the probability that the answer is right.
 *
 * Two balls of radius 1 at three distances of their middles: 1.5 (they collide), 1.99 (hardly) and 2.1
 * (free). Each is asked within four steps (limit_time with max_nanoseconds would limit the time instead), and
 * then goes on from there until the answer is proven. The proven answers are yes, yes and no.
 */
#include "common.h"

static shape ball;

int main(void)
{
    bw_fault fault;
    make_ball(&ball, 1);
    bw_tree *tree = NULL;
    must(bw_tree_create(NULL, &ball.mesh, &tree, &fault), &fault);
    bw_anytime *anytime = NULL; /* statistics beside the tree: 8 to 30 ms, mostly, once per mesh */
    must(bw_anytime_create(NULL, tree, &ball.mesh, &anytime, &fault), &fault);
    bw_anytime_cache *cache = NULL; /* what is still to be looked at when the budget is spent */
    must(bw_anytime_cache_create(NULL, &cache, &fault), &fault);

    const double distances[] = {1.5, 1.99, 2.1};
    for (int i = 0; i < 3; i++) {
        bw_transform pose =
            bw_transform_compose((bw_vec3){distances[i], 0, 0}, (bw_vec3){1, 2, 3}, 0.7, (bw_vec3){1, 1, 1});
        bw_anytime_body a = {anytime, &ball.mesh, NULL}, b = {anytime, &ball.mesh, &pose};

        bw_anytime_query_desc desc = {.limit_steps = true, .max_steps = 2, .cache = cache};
        bw_anytime_answer answer = {0};
        must(bw_anytime_query(&a, &b, &desc, &answer, &fault), &fault);
        printf("%.2f apart, two steps: %s, confidence %.1f\n", distances[i],
               answer.collision ? "collision" : "free", answer.confidence);

        if (!answer.proven && bw_anytime_cache_resumable(cache)) {
            desc = (bw_anytime_query_desc){.cache = cache, .resume = true}; /* no limit */
            must(bw_anytime_query(&a, &b, &desc, &answer, &fault), &fault);
        }
        printf("%.2f apart, no limit: %s, %s\n", distances[i], answer.collision ? "collision" : "free",
               answer.proven ? "proven" : "not proven");
    }

    bw_anytime_cache_destroy(cache);
    bw_anytime_destroy(anytime);
    bw_tree_destroy(tree);
    return 0;
}
