package old;

import javax.faces.bean.ManagedBean;
import javax.faces.bean.SessionScoped;

/// What is ordered.
@ManagedBean
@SessionScoped
public class Order {
    private String item = "";
    private int sum;

    public String getItem() {
        return item;
    }

    public void setItem(String value) {
        item = value;
    }

    public int getSum() {
        return sum;
    }

    public String order() {
        sum += 7;
        return null;
    }
}
