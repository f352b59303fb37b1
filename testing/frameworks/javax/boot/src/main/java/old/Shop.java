package old;

import javax.servlet.http.HttpSession;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// A shop.
@SpringBootApplication
@RestController
public class Shop extends SpringBootServletInitializer {
    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
        return builder.sources(Shop.class);
    }

    @PostMapping("/order")
    public String order(@RequestParam("item") String item, HttpSession session) {
        session.setAttribute("item", item);
        return "ordered " + item;
    }

    @GetMapping("/last")
    public String last(HttpSession session) {
        return "last " + session.getAttribute("item");
    }

    @GetMapping("/fail")
    public String fail() {
        throw new IllegalStateException("meant");
    }
}
