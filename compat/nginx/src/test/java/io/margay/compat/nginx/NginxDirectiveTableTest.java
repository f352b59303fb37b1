package io.margay.compat.nginx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.account.AccountLine;
import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.nginx.plan.NginxPlan;
import io.margay.compat.nginx.syntax.NginxDirective;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table of nginx's directives: its page says what it says, and who reads what is honoured asks
/// for it. `-Dmargay.update=true` writes the page.
final class NginxDirectiveTableTest {
    private static final Path PAGE =
            Path.of(
                    System.getProperty("margay.root", ".."),
                    "docs",
                    "reference",
                    "nginx-compat.md");

    /// Each directive that is honoured, where it has an effect.
    private static final String ALL =
            """
            events { }
            http {
              include *.types;
              types { text/html html; }
              map $http_upgrade $up { default upgrade; '' close; }
              log_format short '$remote_addr "$request" $status $upstream_connect_time'
                ' $upstream_header_time $upstream_response_time';
              access_log /var/log/access.log short;
              gzip on; gzip_types text/css; gzip_min_length 1k; gzip_comp_level 5; gzip_vary on;
              gzip_proxied any; gzip_disable msie6; gzip_static on;
              set_real_ip_from 10.0.0.0/8; real_ip_header X-Forwarded-For; real_ip_recursive on;
              geo $near { default 0; 127.0.0.0/8 1; }
              split_clients $remote_addr $part { 50% a; * b; }
              limit_req_zone $binary_remote_addr zone=r:10m rate=1r/s;
              limit_conn_zone $server_name zone=c:10m;
              proxy_cache_path /c1 keys_zone=p:1m; fastcgi_cache_path /c2 keys_zone=f:1m;
              upstream one { server 127.0.0.1:1 weight=2; keepalive 4; least_conn; zone z 64k; }
              upstream two { random; server 127.0.0.1:2; hash $host; ip_hash; }
              server {
                listen 443 ssl; listen 443 quic reuseport; http3 on;
                http2 on;
                server_name a.example;
                ssl_certificate a.pem; ssl_certificate_key a.key; ssl_protocols TLSv1.2 TLSv1.3;
                ssl_verify_client on; ssl_client_certificate ca.pem; ssl_verify_depth 2;
                ssl_crl ca.crl;
                root /srv; index index.html; default_type text/plain;
                absolute_redirect on; port_in_redirect on;
                error_page 404 /404.html;
                add_header X-A b; charset utf-8; charset_types text/css;
                valid_referers none server_names;
                client_max_body_size 1m;
                if ($http_x) { return 403; }
                set $v 1;
                rewrite ^/old /new last;
                location = /404.html { internal; }
                location / { try_files $uri =404; expires 1h; break; }
                location /al/ { alias /srv/al/; }
                location /p/ {
                  allow 127.0.0.1; deny all; satisfy any;
                  auth_basic x; auth_basic_user_file users;
                  limit_except GET { deny all; }
                  proxy_pass http://one; proxy_set_header Host $host; proxy_http_version 1.1;
                  proxy_connect_timeout 5s; proxy_send_timeout 5s; proxy_read_timeout 5s;
                  proxy_redirect off; proxy_cookie_domain a b; proxy_cookie_path / /p/;
                  proxy_hide_header X-B; proxy_pass_header X-Accel-Expires;
                  proxy_intercept_errors on; proxy_next_upstream error; proxy_next_upstream_tries 2;
                }
                location = /auth { internal; proxy_pass http://one/check; }
                location /w/ {
                  auth_request /auth; auth_request_set $user $upstream_http_x_user;
                  proxy_set_header X-User $user;
                  proxy_pass http://one;
                }
                location /l/ {
                  limit_req zone=r burst=5 nodelay; limit_req_status 429; limit_req_dry_run on;
                  limit_conn c 5; limit_conn_status 429; limit_conn_dry_run on;
                  limit_rate 10k; limit_rate_after 1m;
                  proxy_pass http://one;
                }
                location /k/ {
                  secure_link $arg_m,$arg_e; secure_link_md5 "$secure_link_expires$uri word";
                  if ($secure_link = "") { return 403; }
                  proxy_pass http://one;
                }
                location /s/ {
                  secure_link_secret word;
                  if ($secure_link = "") { return 403; }
                  rewrite ^ /k/$secure_link;
                }
                location /q/ {
                  proxy_cache p; proxy_cache_key $uri; proxy_cache_valid 1m; proxy_cache_lock on;
                  proxy_cache_lock_timeout 1s; proxy_cache_methods GET; proxy_cache_min_uses 2;
                  proxy_cache_use_stale updating; proxy_cache_background_update on;
                  proxy_cache_bypass $arg_a; proxy_no_cache $arg_b; proxy_ignore_headers Vary;
                  proxy_pass http://two;
                  sub_filter a b; sub_filter_once off; sub_filter_types text/css;
                  sub_filter_last_modified on;
                }
                location ~ [.]php(/|$) {
                  fastcgi_split_path_info ^(.+?[.]php)(/.*)$;
                  fastcgi_index index.php;
                  fastcgi_param SCRIPT_FILENAME $document_root$fastcgi_script_name;
                  fastcgi_param PATH_INFO $fastcgi_path_info if_not_empty;
                  fastcgi_connect_timeout 5s; fastcgi_send_timeout 5s; fastcgi_read_timeout 5s;
                  fastcgi_intercept_errors on; fastcgi_hide_header X-Powered-By;
                  fastcgi_pass_header X-Accel-Expires;
                  fastcgi_next_upstream error; fastcgi_next_upstream_tries 2;
                  fastcgi_cache f; fastcgi_cache_key $uri; fastcgi_cache_valid 1m;
                  fastcgi_cache_lock on; fastcgi_cache_lock_timeout 1s; fastcgi_cache_methods GET;
                  fastcgi_cache_min_uses 2; fastcgi_cache_use_stale error;
                  fastcgi_cache_background_update on; fastcgi_cache_bypass $arg_a;
                  fastcgi_no_cache $arg_b; fastcgi_ignore_headers Vary;
                  fastcgi_pass unix:/run/php.sock;
                }
              }
            }
            """;

    @TempDir Path folder;

    @Test
    void honouredDirectives_whereTheyHaveAnEffect_areAskedFor() throws IOException {
        NginxPlan plan = NginxFiles.read(Files.writeString(folder.resolve("nginx.conf"), ALL));
        assertTrue(!plan.isWrong(), () -> plan.failures().toString());
        Set<String> unread =
                plan.account().stream()
                        .filter(line -> line.text().contains("depends on it at this place"))
                        .map(AccountLine::directive)
                        .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), unread);
        Set<String> told =
                plan.account().stream().map(AccountLine::directive).collect(Collectors.toSet());
        List<String> missing =
                NginxDirective.all().stream()
                        .filter(row -> row.verdict() == Verdict.HONOURED)
                        .map(NginxDirective::name)
                        .filter(name -> !told.contains(name) && !name.equals("include"))
                        .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void rows_ofTheTable_sayWhatIsDoneInstead() {
        for (NginxDirective row : NginxDirective.all()) {
            assertEquals(row.verdict() == Verdict.HONOURED, row.text().isEmpty(), row::toString);
            assertTrue(
                    !row.closes() || row.verdict() != Verdict.CHANGED,
                    () -> row.name() + " closes, and what it closes would be open");
        }
    }

    @Test
    void page_ofTheReference_isWhatTheTableSays() throws IOException {
        String page = page();
        if (Boolean.getBoolean("margay.update")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(page, Files.readString(PAGE));
    }

    /// What is said of directives that are treated alike, in the order of the verdicts.
    private static String page() {
        Map<String, TreeSet<String>> rows = new TreeMap<>();
        for (NginxDirective row : NginxDirective.all()) {
            String verdict = row.verdict().name().toLowerCase(Locale.ROOT);
            String said = row.text().isEmpty() ? verdict : verdict + ": " + row.text();
            boolean elsewhere =
                    row.contexts().stream().allMatch(place -> place.matches("(stream|mail).*"));
            rows.computeIfAbsent(
                            row.verdict().ordinal() + said + (elsewhere ? ", in stream, mail" : ""),
                            _ -> new TreeSet<>())
                    .add("`" + row.name() + "`");
        }
        StringBuilder page =
                new StringBuilder(
                        """
                        # nginx's directives

                        What `margay gateway`, `check` and `migrate` make of each directive of
                        nginx 1.28. *Honoured*: it does what it does in nginx. *Noted*: nothing
                        depends on it here, or the same is done otherwise. *Changed*: requests are
                        answered otherwise, and `check` fails. *Wrong*: something would be open that
                        was closed, or the source of a program would be sent, so nothing is served.
                        The words and values of a directive may weigh more than its row: `migrate`
                        says what becomes of each line.

                        How a move goes, and what differs in general:
                        [from nginx](../guide/from-nginx.md).

                        | here | directives |
                        |---|---|
                        """);
        rows.forEach((said, names) ->
                page.append("| ")
                        .append(said.substring(1))
                        .append(" | ")
                        .append(String.join(", ", names))
                        .append(" |\n"));
        return page.toString();
    }
}
