package io.margay.frameworks.javax;

import io.margay.app.Margay;
import io.margay.app.MargayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Applications of frameworks in their versions for javax, compiled for Java 8, deployed as they
/// are and driven through their main paths: Margay must answer what Tomcat 9 answers.
final class JavaxFrameworksTest {
    @TempDir static Path temp;
    private static MargayServer margay;
    private static Tomcat9 tomcat;

    @BeforeAll
    static void start() throws Exception {
        Map<String, Path> apps = new LinkedHashMap<>();
        for (Application one : Application.values()) {
            apps.put(one.path(), one.folder());
        }
        tomcat =
                Tomcat9.start(
                        Path.of(System.getProperty("margay.tomcat9")),
                        Files.createDirectories(temp.resolve("tomcat")),
                        apps);
        var builder = Margay.builder().http(0).work(temp.resolve("work"));
        builder.drain(Duration.ofSeconds(5));
        apps.forEach(builder::app);
        margay = builder.start();
    }

    @AfterAll
    static void stop() {
        if (margay != null) {
            margay.close();
        }
        if (tomcat != null) {
            tomcat.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void application_answersAlike(Application one) throws Exception {
        String url = "http://127.0.0.1:" + margay.ports().getFirst();
        try (Visitor here = new Visitor(url);
                Visitor there = new Visitor(tomcat.url())) {
            Visitor.compare(one, here, there);
        }
    }
}
