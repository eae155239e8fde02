// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.rush;

import java.util.List;

/**
 * What a node process is to do; the first line that it reads. Not among its arguments, because an URI may hold a password.
 *
 * @param redis where Redis is
 * @param pool name of the pool
 * @param workload all requests
 * @param share which of them this node makes
 * @param threads how many threads make them
 */
record NodeTask(List<String> redis, String pool, Workload workload, Load.Share share, int threads) {}
