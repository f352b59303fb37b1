package io.margay.servlet.descriptor;

import io.margay.servlet.xml.DescriptorException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Puts the libraries of an application in order (Servlet 6.1 §8.2.2).
///
/// Relative ordering: each fragment belongs to one of three groups (before the others, the others,
/// after the others); whoever must precede a member of the first group is drawn into it, whoever
/// must follow a member of the last is drawn into that. Each group is then sorted topologically,
/// ties in the order given.
final class FragmentOrder {
    /// A library.
    ///
    /// @param jar file name of the library
    /// @param name of its fragment, or null
    record Fragment(String jar, @Nullable String name, @Nullable Ordering ordering) {
        String shown() {
            return name == null ? jar : name + " (" + jar + ")";
        }
    }

    /// @param jars in order, without those that an absolute ordering leaves out
    /// @param ordered whether anything asked for an order
    record Result(List<String> jars, boolean ordered) {}

    private enum Group {
        BEFORE,
        MIDDLE,
        AFTER
    }

    private final List<Fragment> fragments;
    private final Map<String, Fragment> byName = new HashMap<>();
    private final Map<Fragment, Set<Fragment>> followers = new LinkedHashMap<>();
    private final Map<Fragment, Group> groups = new HashMap<>();

    private FragmentOrder(List<Fragment> fragments) {
        this.fragments = fragments;
    }

    static Result order(List<Fragment> fragments, @Nullable AbsoluteOrdering absolute) {
        if (absolute != null) {
            return absolute(fragments, absolute);
        }
        if (fragments.stream().allMatch(fragment -> fragment.ordering() == null)) {
            return new Result(fragments.stream().map(Fragment::jar).toList(), false);
        }
        return new Result(new FragmentOrder(fragments).relative(), true);
    }

    private static Result absolute(List<Fragment> fragments, AbsoluteOrdering absolute) {
        List<Fragment> others = new ArrayList<>();
        for (Fragment fragment : fragments) {
            String name = fragment.name();
            if (name == null || !absolute.names().contains(name)) {
                others.add(fragment);
            }
        }
        Set<String> jars = new LinkedHashSet<>();
        for (String name : absolute.names()) {
            if (name.equals(AbsoluteOrdering.OTHERS)) {
                others.forEach(fragment -> jars.add(fragment.jar()));
                continue;
            }
            for (Fragment fragment : fragments) {
                if (name.equals(fragment.name())) {
                    jars.add(fragment.jar());
                }
            }
        }
        return new Result(List.copyOf(jars), true);
    }

    private List<String> relative() {
        names();
        edges();
        draw();
        List<String> jars = new ArrayList<>();
        for (Group group : Group.values()) {
            sort(group, jars);
        }
        return jars;
    }

    private void names() {
        for (Fragment fragment : fragments) {
            followers.put(fragment, new LinkedHashSet<>());
            String name = fragment.name();
            if (name == null) {
                continue;
            }
            Fragment before = byName.putIfAbsent(name, fragment);
            if (before != null) {
                throw failure(
                        "WEB-INF/lib: the web fragments of "
                                + before.jar()
                                + " and "
                                + fragment.jar()
                                + " are both named "
                                + name
                                + ", so they cannot be ordered. Remove one of the libraries, or"
                                + " write <absolute-ordering> in web.xml.");
            }
        }
    }

    private void edges() {
        for (Fragment fragment : fragments) {
            Ordering ordering = fragment.ordering();
            if (ordering == null) {
                groups.put(fragment, Group.MIDDLE);
                continue;
            }
            groups.put(
                    fragment,
                    ordering.beforeOthers()
                            ? Group.BEFORE
                            : ordering.afterOthers() ? Group.AFTER : Group.MIDDLE);
            ordering.before().forEach(name -> edge(fragment, byName.get(name)));
            ordering.after().forEach(name -> edge(byName.get(name), fragment));
        }
    }

    /// Names of fragments that are not there are no error.
    private void edge(@Nullable Fragment first, @Nullable Fragment second) {
        if (first != null && second != null) {
            Set<Fragment> known = followers.get(first);
            if (known != null) {
                known.add(second);
            }
        }
    }

    private void draw() {
        boolean changed = true;
        while (changed) {
            changed = false;
            for (Map.Entry<Fragment, Set<Fragment>> entry : followers.entrySet()) {
                for (Fragment second : entry.getValue()) {
                    changed |= draw(entry.getKey(), second);
                }
            }
        }
    }

    private boolean draw(Fragment first, Fragment second) {
        Group a = groups.getOrDefault(first, Group.MIDDLE);
        Group b = groups.getOrDefault(second, Group.MIDDLE);
        if (a == Group.AFTER && b == Group.BEFORE) {
            throw failure(
                    "WEB-INF/lib: the ordering of web fragments contradicts itself: "
                            + first.shown()
                            + " comes after the others but before "
                            + second.shown()
                            + ", which comes before the others. Write"
                            + " <absolute-ordering> in web.xml.");
        }
        if (b == Group.BEFORE && a == Group.MIDDLE) {
            groups.put(first, Group.BEFORE);
            return true;
        }
        if (a == Group.AFTER && b == Group.MIDDLE) {
            groups.put(second, Group.AFTER);
            return true;
        }
        return false;
    }

    private void sort(Group group, List<String> jars) {
        List<Fragment> left = new ArrayList<>();
        for (Fragment fragment : fragments) {
            if (groups.get(fragment) == group) {
                left.add(fragment);
            }
        }
        while (!left.isEmpty()) {
            Fragment next = null;
            for (Fragment candidate : left) {
                if (left.stream().noneMatch(other -> precedes(other, candidate))) {
                    next = candidate;
                    break;
                }
            }
            if (next == null) {
                throw failure(
                        "WEB-INF/lib: the ordering of web fragments has a cycle: "
                                + cycle(left)
                                + ". Correct one <ordering>, or write <absolute-ordering> in"
                                + " web.xml.");
            }
            left.remove(next);
            jars.add(next.jar());
        }
    }

    private boolean precedes(Fragment first, Fragment second) {
        return followers.getOrDefault(first, Set.of()).contains(second);
    }

    /// Walks backwards among fragments that all have a predecessor, until one comes again.
    private String cycle(List<Fragment> left) {
        Deque<Fragment> path = new ArrayDeque<>();
        Fragment at = left.getFirst();
        while (!path.contains(at)) {
            path.push(at);
            Fragment here = at;
            at = left.stream().filter(other -> precedes(other, here)).findFirst().orElse(here);
        }
        List<String> shown = new ArrayList<>();
        for (Fragment fragment : path) {
            shown.add(fragment.shown());
            if (fragment.equals(at)) {
                break;
            }
        }
        shown.addFirst(at.shown());
        return String.join(" before ", shown);
    }

    private static DescriptorException failure(String problem) {
        return new DescriptorException(List.of(problem));
    }
}
