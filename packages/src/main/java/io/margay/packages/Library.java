package io.margay.packages;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A jar of the distribution, with what Maven knows of it.
///
/// @param path below the distribution
/// @param component of a bill of materials
record Library(String path, Map<?, ?> component) {
    /// Every jar of the distribution, sorted by path.
    ///
    /// @param bills of materials (CycloneDX) that the build has made of the programs in it
    /// @throws IOException also if no bill knows one of them
    static List<Library> of(Distribution distribution, List<Path> bills) throws IOException {
        Map<String, Map<?, ?>> known = new TreeMap<>();
        for (Path bill : bills) {
            if (!Files.exists(bill)) {
                throw new IOException(bill + " is missing: -Ppackages and -Prelease make it");
            }
            Map<String, Object> parsed = JSON.std.mapFrom(bill.toFile());
            add(Json.object(Json.object(parsed, "metadata"), "component"), known);
            Json.objects(parsed, "components").forEach(each -> add(each, known));
        }
        List<Path> jars;
        try (Stream<Path> all = Files.walk(distribution.folder().resolve("lib"))) {
            jars = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        List<Library> found = new ArrayList<>();
        for (Path jar : jars) {
            Map<?, ?> component = known.get(String.valueOf(jar.getFileName()));
            if (component == null) {
                throw new IOException("no bill of materials knows " + jar);
            }
            found.add(new Library("" + distribution.folder().relativize(jar), component));
        }
        return found;
    }

    private static void add(Map<?, ?> component, Map<String, Map<?, ?>> known) {
        known.put(
                Json.text(component, "name") + "-" + Json.text(component, "version") + ".jar",
                component);
    }

    /// Its licences, as SPDX calls them where it does; empty if its POM names none.
    String licence() {
        List<String> names = new ArrayList<>();
        for (Map<?, ?> each : Json.objects(component, "licenses")) {
            Map<?, ?> licence = Json.object(each, "license");
            String name =
                    Stream.of(
                                    Json.text(each, "expression"),
                                    Json.text(licence, "id"),
                                    Json.text(licence, "name"))
                            .filter(text -> !text.isEmpty())
                            .findFirst()
                            .orElse("");
            names.add(name);
        }
        return String.join(" or ", names);
    }

    /// Who made it, as far as its POM says.
    String maker() {
        String publisher = Json.text(component, "publisher");
        return publisher.isEmpty() ? "The authors of " + Json.text(component, "name") : publisher;
    }
}
