package io.margay.spring.boot;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.CookieSameSiteSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// An application of the servlet kind.
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class TestApplication {
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch END = new CountDownLatch(1);

    @Bean
    CookieSameSiteSupplier strictFlavour() {
        return CookieSameSiteSupplier.ofStrict().whenHasName("flavour");
    }

    @RestController
    static class Pages {
        @GetMapping("/hello")
        String hello() {
            return "hello";
        }

        @GetMapping("/thread")
        String thread() {
            return Thread.currentThread().isVirtual() ? "virtual" : "platform";
        }

        @GetMapping(value = "/long", produces = "text/plain")
        String longText() {
            return "long ".repeat(2000);
        }

        @GetMapping("/where")
        String where(HttpServletRequest request) {
            return request.getRemoteAddr() + " " + request.getRequestURL();
        }

        @GetMapping("/parameters")
        int parameters(HttpServletRequest request) {
            return request.getParameterMap().size();
        }

        @GetMapping("/away")
        void away(HttpServletResponse response) throws IOException {
            response.sendRedirect("/hello");
        }

        @GetMapping("/cookies")
        String cookies(HttpServletRequest request, HttpServletResponse response) {
            response.addCookie(new Cookie("flavour", "plain"));
            return request.getSession().getId();
        }

        @GetMapping("/wait")
        String waiting() throws InterruptedException {
            BEGUN.countDown();
            END.await();
            return "done";
        }

        @GetMapping("/fail")
        String fail() {
            throw new IllegalStateException("on purpose");
        }
    }

    @Controller
    static class Views {
        @GetMapping("/view")
        String view(Model model) {
            model.addAttribute("name", "a view");
            return "view";
        }
    }
}
