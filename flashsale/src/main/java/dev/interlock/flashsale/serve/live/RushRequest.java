// SPDX-License-Identifier: Apache-2.0
package dev.interlock.flashsale.serve.live;

/**
 * Body of {@code POST /api/rush}.
 *
 * @param campaignId which campaign
 * @param requests how many requests, 1 to 1,000,000
 * @param users how many users make them in turn, 1 to 1,000,000
 */
public record RushRequest(long campaignId, long requests, long users) {}
