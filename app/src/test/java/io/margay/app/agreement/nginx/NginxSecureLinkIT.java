package io.margay.app.agreement.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.app.migrate.FrontEndFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A signed link opens the same in nginx and in Margay, and one that is forged opens nothing.
final class NginxSecureLinkIT {
    private static final int TIMEOUT_MILLIS = 20_000;

    private static final String CONFIG =
            """
              server {
                listen 127.0.0.1:@PORT@;
                root @DIR@/www;
                location / {
                  secure_link $arg_md5,$arg_expires;
                  secure_link_md5 "$secure_link_expires$uri word";
                  if ($secure_link = "") { return 403; }
                  if ($secure_link = "0") { return 410; }
                }
                location /free/ {
                  secure_link $arg_md5;
                  secure_link_md5 "word $uri";
                  if ($secure_link != "1") { return 403; }
                  try_files /f.txt =404;
                }
                location /named/ {
                  secure_link_secret "a word";
                  if ($secure_link = "") { return 403; }
                  rewrite ^ /inside/$secure_link;
                }
                location /inside/ { internal; alias @DIR@/www/; }
              }
            """;

    @TempDir Path folder;

    private Path write(String name, int port) throws Exception {
        return Files.writeString(
                folder.resolve(name),
                NginxProcess.configuration(folder, CONFIG)
                        .replace("@DIR@", folder.toString())
                        .replace("@PORT@", Integer.toString(port)));
    }

    private static String sum(String text) throws Exception {
        byte[] sum = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sum);
    }

    private static String hex(String text) throws Exception {
        byte[] sum = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(sum);
    }

    private static int ask(int port, String target) throws Exception {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at).timeout(TIMEOUT_MILLIS)) {
            return client.get(target).status();
        }
    }

    @Test
    void links_openAsInNginx() throws Exception {
        Path www = Files.createDirectories(folder.resolve("www"));
        Files.writeString(www.resolve("f.txt"), "file\n");
        Files.writeString(www.resolve("\u00e4.txt"), "file\n");
        String good = sum("4000000000/f.txt word");
        List<String> targets = new ArrayList<>();
        targets.add("/f.txt?md5=" + good + "&expires=4000000000");
        targets.add("/f.txt?md5=" + good + "==&expires=4000000000");
        targets.add("/f.txt?md5=" + sum("1000/f.txt word") + "&expires=1000");
        targets.add("/%C3%A4.txt?md5=" + sum("4000000000/\u00e4.txt word") + "&expires=4000000000");
        targets.add("/free/x?md5=" + sum("word /free/x"));
        String named = hex("f.txta word");
        targets.add("/named/" + named + "/f.txt");
        targets.add("/named/" + named.toUpperCase(Locale.ROOT) + "/f.txt");
        targets.add("/named/" + hex("x/y.txta word") + "/x/y.txt");
        int open = 6;
        targets.addAll(forged(good, named));
        int theirs = FreePort.next();
        int ours = FreePort.next();
        NginxProcess nginx =
                NginxProcess.start(write("nginx.conf", theirs), theirs, TIMEOUT_MILLIS);
        GatewayPlan plan = FrontEndFiles.read(List.of(write("margay.conf", ours)), Map.of());
        assertEquals(List.of(), plan.failures());
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        List<Integer> stricter = new ArrayList<>();
        try (MargayServer margay = PlanServer.start(plan, folder.resolve("work"))) {
            assertFalse(margay.ports().isEmpty());
            for (String name : List.of("f.txt?a", "%66.txt")) { // nginx looks for such a file
                stricter.add(ask(ours, "/named/" + hex(name + "a word") + "/" + name));
            }
            for (String target : targets) {
                expected.add(ask(theirs, target) + " " + target);
                found.add(ask(ours, target) + " " + target);
            }
        } finally {
            nginx.close();
        }
        assertEquals(List.of(403, 403), stricter);
        assertEquals(String.join("\n", expected), String.join("\n", found));
        assertEquals(open, found.stream().filter(one -> one.startsWith("200 ")).count());
        assertEquals(1, found.stream().filter(one -> one.startsWith("410 ")).count());
    }

    private static List<String> forged(String good, String named) throws Exception {
        return List.of(
                "/named/" + named + "/g.txt",
                "/named/" + named + "/f.txt?a",
                "/named/" + named + "/",
                "/named/" + named,
                "/named/" + named.substring(1) + "/f.txt",
                "/named/" + hex("f.txt") + "/f.txt",
                "/named/f.txt",
                "/inside/f.txt",
                "/f.txt",
                "/f.txt?md5=" + good,
                "/f.txt?md5=" + good + "&expires=4000000001",
                "/f.txt?md5=" + good + "&expires=0",
                "/f.txt?md5=" + good + "&expires=x",
                "/f.txt?md5=" + good + "&expires=-1",
                "/f.txt?md5=&expires=4000000000",
                "/f.txt?md5=" + good.substring(1) + "&expires=4000000000",
                "/f.txt?md5=" + good + "A&expires=4000000000",
                "/f.txt?md5=" + good.replace(good.charAt(3), '*') + "&expires=4000000000",
                "/f.txt?md5=" + sum("/f.txt word") + "&expires=",
                "/f.txt?md5=" + sum("/f.txt word"),
                "/f.txt?md5=%0A" + good + "&expires=4000000000",
                "/free/y?md5=" + sum("word /free/x"),
                "/free/x?md5=" + sum("word /free/x") + ",1000",
                "/free/x?md5=" + sum("word /free/x") + ",x");
    }
}
