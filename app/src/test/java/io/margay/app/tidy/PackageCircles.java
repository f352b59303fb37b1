package io.margay.app.tidy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which packages know each other in circles: each can be reached from each by what its classes
/// use. That a sealed type names its permitted members does not count.
final class PackageCircles {
    private static final String OURS = "io.margay.";

    private final Map<String, Set<String>> uses;

    private PackageCircles(Map<String, Set<String>> uses) {
        this.uses = uses;
    }

    /// The circles among the packages of `classes`, in alphabetical order.
    static List<Set<String>> of(JavaClasses classes) {
        var uses = new TreeMap<String, Set<String>>();
        for (JavaClass user : classes) {
            if (isOurs(user)) {
                var used = uses.computeIfAbsent(user.getPackageName(), name -> new TreeSet<>());
                user.getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                        .filter(PackageCircles::isOurs)
                        .forEach(target -> used.add(target.getPackageName()));
            }
        }
        return new PackageCircles(uses).find();
    }

    private static boolean isOurs(JavaClass type) {
        return type.getName().startsWith(OURS);
    }

    private List<Set<String>> find() {
        var reached = new HashMap<String, Set<String>>();
        uses.keySet().forEach(start -> reached.put(start, reachedFrom(start)));
        var circles = new TreeMap<String, Set<String>>();
        reached.forEach((start, targets) -> {
            var circle = new TreeSet<String>();
            for (String target : targets) {
                if (reached.getOrDefault(target, Set.of()).contains(start)) {
                    circle.add(target.substring(OURS.length()));
                }
            }
            if (circle.size() > 1) {
                circles.put(circle.first(), circle);
            }
        });
        return List.copyOf(circles.values());
    }

    private Set<String> reachedFrom(String start) {
        var found = new HashSet<String>();
        var open = new ArrayDeque<>(uses.getOrDefault(start, Set.of()));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (found.add(next)) {
                open.addAll(uses.getOrDefault(next, Set.of()));
            }
        }
        return found;
    }
}
