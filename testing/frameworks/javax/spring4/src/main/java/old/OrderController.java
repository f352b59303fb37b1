package old;

import javax.servlet.http.HttpSession;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/// Orders.
@Controller
public class OrderController {
    private final String shop;

    @Autowired
    public OrderController(String shop) {
        this.shop = shop;
    }

    @RequestMapping(value = "/order.htm", method = RequestMethod.GET)
    public String form() {
        return "order";
    }

    @RequestMapping(value = "/order.htm", method = RequestMethod.POST)
    public String order(
            @RequestParam("item") String item,
            @RequestParam("amount") int amount,
            HttpSession session,
            Model model) {
        session.setAttribute("last", item);
        model.addAttribute("sum", amount * 7);
        model.addAttribute("shop", shop);
        return "done";
    }

    @RequestMapping("/last.htm")
    @ResponseBody
    public String last(HttpSession session) {
        return "last " + session.getAttribute("last");
    }
}
