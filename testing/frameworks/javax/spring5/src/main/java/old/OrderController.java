package old;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.servlet.http.HttpServletRequest;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Orders as JSON.
@RestController
public class OrderController {
    private final Map<String, Integer> orders = new LinkedHashMap<>();

    @PostMapping("/orders")
    @ResponseStatus(HttpStatus.CREATED)
    public synchronized Map<String, Integer> order(@RequestBody Map<String, Integer> added) {
        orders.putAll(added);
        return orders;
    }

    @GetMapping("/orders/{item}")
    public synchronized int amount(@PathVariable("item") String item, HttpServletRequest request) {
        Integer amount = orders.get(item);
        if (amount == null) {
            throw new IllegalStateException("no " + item + " at " + request.getRequestURI());
        }
        return amount;
    }

    @GetMapping("/later")
    public Callable<String> later() {
        return () -> "later";
    }

    @ExceptionHandler(IllegalStateException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    public String none(IllegalStateException e) {
        return e.getMessage();
    }
}
