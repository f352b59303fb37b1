package io.margay.lab.site;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A shop: pages by JSP and servlet with a session and a database, orders for users who have logged
/// in, and files. Compiled for a server from one source. Stateless.
public final class ShopApp {
    /// How the path of a user who has logged in begins.
    public static final String USER = "USER ";

    /// What stands for [#requests].
    public static final String VISITS = "SHOP";

    /// What only users who have logged in get.
    public static final String ACCOUNT = "/shop/account";

    public static final String ACCOUNT_TITLE = "<h1>Orders of ada</h1>";
    public static final String LOGIN = "/shop/j_security_check";
    public static final String CREDENTIALS = "j_username=ada&j_password=lovelace";

    private static final List<String> PAGES = List.of("catalog.jsp", "account.jsp", "web.xml");
    private static final String NAME = "ShopServlet";
    private static final int IMAGES = 8;
    private static final int IMAGE_BYTES = 3000;
    private static final int STYLES = 300;
    private static final int FUNCTIONS = 600;

    private ShopApp() {}

    /// Twenty requests: ten for pages, ten for files.
    public static List<String> requests() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(USER + "/shop/catalog?page=" + i);
            all.add(USER + "/shop/static/image" + (2 * i + 1) + ".bin");
            all.add(USER + "/shop/static/image" + (2 * i + 2) + ".bin");
        }
        for (int id : List.of(7, 42, 99)) {
            all.add(USER + "/shop/product?id=" + id);
        }
        all.add(USER + "/shop/static/shop.css");
        all.add(USER + "/shop/cart?add=3");
        all.add(USER + "/shop/static/shop.js");
        all.add(USER + "/shop/cart?add=5");
        all.add(USER + ACCOUNT);
        return List.copyOf(all);
    }

    /// Makes the application.
    ///
    /// @param libraries the folder of HikariCP, PostgreSQL's driver and what these need
    /// @param url of the database
    /// @param target its folder
    public static void make(Path libraries, String url, Path target) throws IOException {
        Path inside = Files.createDirectories(target.resolve("WEB-INF"));
        Path library = Files.createDirectories(inside.resolve("lib"));
        List<Path> jars;
        try (Stream<Path> found = Files.list(libraries)) {
            jars = found.toList();
        }
        for (Path jar : jars) {
            Files.copy(jar, library.resolve(jar.getFileName()));
        }
        String classPath =
                Stream.concat(
                                jars.stream().map(Path::toString),
                                Arrays.stream(
                                        System.getProperty("java.class.path")
                                                .split(File.pathSeparator)))
                        .collect(Collectors.joining(File.pathSeparator));
        JavaCompiler.compile(
                NAME,
                text(NAME + ".txt"),
                classPath,
                Runtime.version().feature(),
                inside.resolve("classes"));
        for (String page : PAGES) {
            Files.writeString(inside.resolve(page), text(page));
        }
        Files.writeString(inside.resolve("database.properties"), "url=" + url + "\n");
        Files.writeString(target.resolve("login.html"), text("login.html"));
        files(Files.createDirectories(target.resolve("static")));
    }

    private static void files(Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(IMAGES);
        for (int i = 1; i <= IMAGES; i++) {
            byte[] image = new byte[i * IMAGE_BYTES / 2];
            random.nextBytes(image);
            Files.write(folder.resolve("image" + i + ".bin"), image);
        }
        StringBuilder styles = new StringBuilder();
        for (int i = 0; i < STYLES; i++) {
            styles.append(".c%d { margin: %dpx; color: #%06x; }%n".formatted(i, i % 9, i * 977));
        }
        Files.writeString(folder.resolve("shop.css"), styles);
        StringBuilder script = new StringBuilder();
        for (int i = 0; i < FUNCTIONS; i++) {
            script.append("function f%d(a, b) { return a * %d + b; }%n".formatted(i, i * 31));
        }
        Files.writeString(folder.resolve("shop.js"), script);
    }

    private static String text(String name) throws IOException {
        try (InputStream in = ShopApp.class.getResourceAsStream("shop/" + name)) {
            if (in == null) {
                throw new IOException(name + " is missing from the lab's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
