"""What is under hardware/: parts and wires as data, circuits made of them, checks, and the pictures drawn from them."""
