// SPDX-License-Identifier: Apache-2.0
package dev.interlock.script.lint;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which arguments of a command are keys. Commands that are not listed have none that is known here. */
final class KeyPositions {
    private static final Set<String> FIRST = Command.words(
            "APPEND BITCOUNT BITFIELD BITFIELD_RO BITPOS DECR DECRBY DUMP"
                    + " EXPIRE EXPIREAT EXPIRETIME GEOADD GEODIST GEOHASH GEOPOS GEORADIUS GEORADIUSBYMEMBER GEOSEARCH GET"
                    + " GETBIT GETDEL GETEX GETRANGE GETSET HDEL HEXISTS HEXPIRE HGET HGETALL HINCRBY HINCRBYFLOAT HKEYS HLEN"
                    + " HMGET HMSET HPEXPIRE HPTTL HRANDFIELD HSCAN HSET HSETNX HSTRLEN HTTL HVALS INCR INCRBY INCRBYFLOAT"
                    + " LINDEX LINSERT LLEN LPOP LPOS LPUSH LPUSHX LRANGE LREM LSET LTRIM MOVE PERSIST PEXPIRE PEXPIREAT"
                    + " PEXPIRETIME PFADD PSETEX PTTL RESTORE RPOP RPUSH RPUSHX SADD SCARD SET SETBIT SETEX SETNX SETRANGE"
                    + " SISMEMBER SMEMBERS SMISMEMBER SORT SORT_RO SPOP SRANDMEMBER SREM SSCAN STRLEN SUBSTR TTL TYPE XACK XADD"
                    + " XAUTOCLAIM XCLAIM XDEL XLEN XPENDING XRANGE XREVRANGE XSETID XTRIM ZADD ZCARD ZCOUNT ZINCRBY ZLEXCOUNT"
                    + " ZMSCORE ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYLEX ZRANGEBYSCORE ZRANK ZREM ZREMRANGEBYLEX"
                    + " ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE");
    private static final Set<String> FIRST_TWO =
            Command.words("COPY GEOSEARCHSTORE LMOVE RENAME RENAMENX RPOPLPUSH SMOVE ZRANGESTORE");
    private static final Set<String> ALL = Command.words(
            "DEL EXISTS MGET PFCOUNT PFMERGE SDIFF SDIFFSTORE SINTER" + " SINTERSTORE SUNION SUNIONSTORE TOUCH UNLINK");
    private static final Set<String> EVERY_OTHER = Command.words("MSET MSETNX");
    private static final Set<String> SECOND = Command.words("MEMORY OBJECT XGROUP XINFO");
    private static final Set<String> COUNTED = Command.words("LMPOP SINTERCARD ZDIFF ZINTER ZINTERCARD ZMPOP ZUNION");
    private static final Set<String> TARGET_AND_COUNTED = Command.words("ZDIFFSTORE ZINTERSTORE ZUNIONSTORE");

    private KeyPositions() {}

    /** The arguments that are keys; a call of {@code unpack} only if all that it gives are keys. */
    static List<Expr> keys(Command command, Chunk chunk) {
        if (ALL.contains(command.name())) {
            return command.args();
        }
        return positions(command, chunk).stream()
                .filter(key -> !"unpack".equals(chunk.callee(key)))
                .toList();
    }

    private static List<Expr> positions(Command command, Chunk chunk) {
        List<Expr> args = command.args();
        String name = command.name();
        if (FIRST.contains(name)) {
            return slice(args, 0, 1);
        }
        if (FIRST_TWO.contains(name)) {
            return slice(args, 0, 2);
        }
        if (EVERY_OTHER.contains(name)) {
            return IntStream.range(0, args.size())
                    .filter(i -> i % 2 == 0)
                    .mapToObj(args::get)
                    .toList();
        }
        if (SECOND.contains(name)) {
            return slice(args, 1, 2);
        }
        if (name.equals("BITOP")) {
            return slice(args, 1, args.size());
        }
        if (COUNTED.contains(name)) {
            return counted(args, 0, chunk);
        }
        if (TARGET_AND_COUNTED.contains(name)) {
            List<Expr> sources = counted(args, 1, chunk);
            return Stream.concat(slice(args, 0, 1).stream(), sources.stream()).toList();
        }
        if (name.equals("XREAD") || name.equals("XREADGROUP")) {
            int first = command.indexOf("STREAMS") + 1;
            return first == 0 ? List.of() : slice(args, first, first + (args.size() - first + 1) / 2);
        }
        return List.of();
    }

    /** Keys after their number at {@code position}; one at least if that is not written there. */
    private static List<Expr> counted(List<Expr> args, int position, Chunk chunk) {
        Double count = position < args.size() ? chunk.number(args.get(position)) : null;
        int first = position + 1;
        return slice(args, first, first + (count == null ? 1 : count.intValue()));
    }

    private static List<Expr> slice(List<Expr> args, int from, int to) {
        int end = Math.min(args.size(), to);
        return from >= end ? List.of() : args.subList(from, end);
    }
}
