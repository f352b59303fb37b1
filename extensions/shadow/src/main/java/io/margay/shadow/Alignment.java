package io.margay.shadow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Which members of two lists belong together: those that are alike, in order; between them those
/// of the same kind, in order. Stateless.
final class Alignment {
    /// Beyond it, members between the like ends of two lists are paired by their order alone.
    private static final int MIDDLE_MAX = 400;

    private Alignment() {}

    /// Two members that differ, or one that the other list lacks.
    record Pair<T>(@Nullable T old, @Nullable T fresh) {}

    /// The members that are not alike.
    ///
    /// @param alike equal for members that need not be looked at
    /// @param kind equal for members that may stand for each other
    static <T> List<Pair<T>> of(
            List<T> old, List<T> fresh, ToLongFunction<T> alike, ToLongFunction<T> kind) {
        int begin = 0;
        int shorter = Math.min(old.size(), fresh.size());
        while (begin < shorter && same(old.get(begin), fresh.get(begin), alike)) {
            begin++;
        }
        int end = 0;
        while (end < shorter - begin
                && same(old.get(old.size() - 1 - end), fresh.get(fresh.size() - 1 - end), alike)) {
            end++;
        }
        List<T> left = old.subList(begin, old.size() - end);
        List<T> right = fresh.subList(begin, fresh.size() - end);
        List<Pair<T>> pairs = new ArrayList<>();
        if (left.size() > MIDDLE_MAX || right.size() > MIDDLE_MAX) {
            between(left, right, kind, pairs);
        } else {
            anchored(left, right, alike, kind, pairs);
        }
        return pairs;
    }

    private static <T> boolean same(T left, T right, ToLongFunction<T> by) {
        return by.applyAsLong(left) == by.applyAsLong(right);
    }

    /// The longest common subsequence keeps its places; what is between its members is paired.
    private static <T> void anchored(
            List<T> left,
            List<T> right,
            ToLongFunction<T> alike,
            ToLongFunction<T> kind,
            List<Pair<T>> to) {
        int[][] longest = new int[left.size() + 1][right.size() + 1];
        for (int i = left.size() - 1; i >= 0; i--) {
            for (int j = right.size() - 1; j >= 0; j--) {
                longest[i][j] =
                        same(left.get(i), right.get(j), alike)
                                ? longest[i + 1][j + 1] + 1
                                : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        int fromLeft = 0;
        int fromRight = 0;
        int i = 0;
        int j = 0;
        while (i < left.size() && j < right.size()) {
            if (same(left.get(i), right.get(j), alike)) {
                between(left.subList(fromLeft, i), right.subList(fromRight, j), kind, to);
                i++;
                j++;
                fromLeft = i;
                fromRight = j;
            } else if (longest[i + 1][j] >= longest[i][j + 1]) {
                i++;
            } else {
                j++;
            }
        }
        between(
                left.subList(fromLeft, left.size()),
                right.subList(fromRight, right.size()),
                kind,
                to);
    }

    /// In order: each with the next of its kind.
    private static <T> void between(
            List<T> left, List<T> right, ToLongFunction<T> kind, List<Pair<T>> to) {
        Map<Long, Integer> last = new HashMap<>();
        for (int i = 0; i < right.size(); i++) {
            last.put(kind.applyAsLong(right.get(i)), i);
        }
        int next = 0;
        for (T one : left) {
            if (last.getOrDefault(kind.applyAsLong(one), -1) < next) {
                to.add(new Pair<>(one, null));
                continue;
            }
            for (; !same(one, right.get(next), kind); next++) {
                to.add(new Pair<>(null, right.get(next)));
            }
            to.add(new Pair<>(one, right.get(next)));
            next++;
        }
        for (; next < right.size(); next++) {
            to.add(new Pair<>(null, right.get(next)));
        }
    }
}
