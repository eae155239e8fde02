// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.List;
import java.util.Set;

/**
 * A call of {@code redis.call} or {@code redis.pcall} with a known command.
 *
 * @param name the command in capitals
 * @param args what follows the command
 * @param call where it is
 */
record Command(String name, List<Expr> args, Expr.Call call) {
    private static final Set<String> INTEGER = words("APPEND BITCOUNT BITOP BITPOS COPY DECR DECRBY DEL EXISTS EXPIRE"
            + " EXPIREAT EXPIRETIME GEOADD GETBIT HDEL HEXISTS HINCRBY HLEN HSET HSETNX HSTRLEN INCR INCRBY LINSERT LLEN"
            + " LPUSH LPUSHX LREM MSETNX PERSIST PEXPIRE PEXPIREAT PEXPIRETIME PFADD PFCOUNT PTTL PUBLISH RENAMENX"
            + " RPUSH RPUSHX SADD SCARD SDIFFSTORE SETBIT SETNX SETRANGE SINTERCARD SINTERSTORE SISMEMBER SMOVE SPUBLISH"
            + " SREM STRLEN SUNIONSTORE TOUCH TTL UNLINK XACK XDEL XLEN XTRIM ZADD ZCARD ZCOUNT ZDIFFSTORE ZINTERCARD"
            + " ZINTERSTORE ZLEXCOUNT ZRANGESTORE ZRANK ZREM ZREMRANGEBYLEX ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANK"
            + " ZUNIONSTORE");
    private static final Set<String> TEXT = words("ECHO GEODIST GET GETDEL GETEX GETRANGE GETSET HGET HINCRBYFLOAT"
            + " INCRBYFLOAT LINDEX LMOVE RANDOMKEY RPOPLPUSH SUBSTR XADD ZINCRBY ZSCORE");
    private static final Set<String> ROW = words("HMGET MGET TIME ZMSCORE");
    private static final Set<String> LIST = words("HGETALL HKEYS HVALS LRANGE SDIFF SINTER SMEMBERS SORT SUNION ZDIFF"
            + " ZINTER ZPOPMAX ZPOPMIN ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE"
            + " ZUNION");
    /** Text without a count, a list with one. */
    private static final Set<String> TEXT_OR_LIST = words("HRANDFIELD LPOP RPOP SPOP SRANDMEMBER ZRANDMEMBER");

    /** What it answers. */
    Kind reply() {
        if (TEXT_OR_LIST.contains(name)) {
            return args.size() > 1 ? Kind.LIST_REPLY : Kind.TEXT_REPLY;
        }
        if (INTEGER.contains(name)) {
            return hasWord("INCR") ? Kind.TEXT_REPLY : Kind.INTEGER_REPLY; // ZADD … INCR
        }
        if (TEXT.contains(name) || (name.equals("SET") && hasWord("GET"))) {
            return Kind.TEXT_REPLY;
        }
        if (ROW.contains(name)) {
            return Kind.ROW_REPLY;
        }
        return LIST.contains(name) ? Kind.LIST_REPLY : Kind.OTHER_REPLY;
    }

    /** Whether this word is written among the options of the command. */
    boolean hasWord(String word) {
        return indexOf(word) >= 0;
    }

    /** Where this word is written after the first argument; -1 if it is not. */
    int indexOf(String word) {
        for (int i = 1; i < args.size(); i++) {
            if (args.get(i) instanceof Expr.Literal literal && literal.text().equalsIgnoreCase(word)) {
                return i;
            }
        }
        return -1;
    }

    static Set<String> words(String list) {
        return Set.of(list.split(" "));
    }
}
